#!/bin/sh
# Publishes a build (the default theme) to S3, R2, GCS or any other store with rclone. Environment:
#   DEPLOY_REMOTE   the folder of base_url, such as r2:bucket; its credentials: RCLONE_CONFIG_R2_TYPE, … (rclone.org/docs)
# Set by `themecast deploy`: EDGE, DIST, RECORD, EXPECT, PUBLIC_URL, SERVED, CHANGED, GONE and the cache headers.
# Safe to interrupt and to repeat. Exit code 75: another deployment came first; 78: DEPLOY_REMOTE belongs to another site.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
# Images, the barrier, documents.
# shellcheck source=rclone.sh
. "$here/rclone.sh"
# Deletes removed documents, then writes the record.
finish
