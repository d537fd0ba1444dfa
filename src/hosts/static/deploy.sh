#!/bin/sh
# Publishes dist/ (the default theme) to S3, R2, GCS or any other store with rclone. Environment:
#   DEPLOY_REMOTE   the folder of base_url, such as r2:bucket; its credentials: RCLONE_CONFIG_R2_TYPE, … (rclone.org/docs)
#   RECORD, EXPECT  the deployment.json to publish, and the SHA-256 of the live one (- for none): docs/going-live.md
#   DIST, CHANGED, GONE  optional: the folder to publish; files that list the documents to upload (all) and to delete (none)
# Safe to interrupt and to repeat. Exit code 75: another deployment came first; 78: DEPLOY_REMOTE belongs to another site.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
# Images, the barrier, documents.
# shellcheck source=rclone.sh
. "$here/rclone.sh"
# Deletes removed documents, then writes the record.
finish
