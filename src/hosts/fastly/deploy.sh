#!/bin/sh
# Deploys this build to Fastly Compute and the bucket behind it with rclone, the Fastly CLI, npm and jq, after the installation in
# README.md. Environment:
#   DEPLOY_REMOTE    the bucket of the backend `files`, such as s3:bucket; its credentials: RCLONE_CONFIG_S3_TYPE, … (rclone.org/docs)
#   FASTLY_API_TOKEN, FASTLY_SERVICE_ID, STORE_ID (of the KV Store)
#   RECORD, EXPECT   the deployment.json to publish, and the SHA-256 of the live one (- for none): docs/going-live.md
#   DIST, CHANGED, GONE  optional: the folder to publish; files that list the documents to upload (all) and to delete (none)
# Safe to interrupt and to repeat. Exit code 75: another deployment came first; 78: DEPLOY_REMOTE belongs to another site.
set -eu
: "${FASTLY_API_TOKEN:?}" "${FASTLY_SERVICE_ID:?}" "${STORE_ID:?}"
here=$(cd "$(dirname "$0")" && pwd)
# Images, the barrier, documents.
# shellcheck source=rclone.sh
. "$here/rclone.sh"
purge() { fastly purge --service-id "$FASTLY_SERVICE_ID" --key themecast; }
if [ -s "$changed" ]; then purge; fi

put() { fastly kv-store-entry create --store-id "$STORE_ID" --file "$here/$1"; }
{{#keyed}}
# Shards come first, as nothing reads them yet. A minute later they have reached all locations, and the pointer follows.
put shards.ndjson
sleep "${SPREAD:-60}"
put pointer.ndjson
{{/keyed}}
{{^keyed}}
put users.ndjson
sleep "${SPREAD:-60}" # until all locations have them
{{/keyed}}
cp -R "$here/." "$work/service"
(cd "$work/service" && npm install --silent && fastly compute publish --service-id "$FASTLY_SERVICE_ID" --non-interactive)
{{#keyed}}
sleep "${SPREAD:-300}" # until no location holds the previous pointer
{{/keyed}}
fastly kv-store-entry list --store-id "$STORE_ID" --json | jq -r '.[].key? // .[]' | sort >"$work/have"
cat "$here"/*.ndjson | jq -r .key | sort | comm -23 "$work/have" - | while read -r key; do
  fastly kv-store-entry delete --store-id "$STORE_ID" --key "$key" </dev/null
done
purge
finish
