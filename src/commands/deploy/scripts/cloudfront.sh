#!/bin/sh
# Deploys a build to CloudFront and its bucket with rclone, the AWS CLI 2 and jq, after the installation in README.md. Environment:
#   DEPLOY_REMOTE    the bucket, such as s3:bucket; its credentials: RCLONE_CONFIG_S3_TYPE=s3, … (rclone.org/s3)
#   DISTRIBUTION_ID, KVS_ARN, AWS_ACCESS_KEY_ID, … for the AWS CLI
# Set by `themecast deploy`: EDGE, DIST, RECORD, EXPECT, PUBLIC_URL, SERVED, CHANGED, GONE, BASE_PATH, SCHEMAS and the cache headers.
# Safe to interrupt and to repeat. Exit code 75: another deployment came first; 78: DEPLOY_REMOTE belongs to another site.
set -eu
: "${DISTRIBUTION_ID:?}" "${KVS_ARN:?}" "${EDGE:?}"
here=$(cd "$(dirname "$0")" && pwd)
# Images, the barrier, documents.
# shellcheck source=rclone.sh
. "$here/rclone.sh"
invalidate() {
  set -- "$BASE_PATH/api/v2/theme/*" ${SCHEMAS:+"$BASE_PATH/schema/*"} # CloudFront matches them
  aws cloudfront create-invalidation --distribution-id "$DISTRIBUTION_ID" --paths "$@" >/dev/null
}
if [ -s "$changed" ]; then invalidate; fi

# Users: 50 keys at a time. Secrets are only in the store, and stay there.
aws cloudfront-keyvaluestore list-keys --kvs-arn "$KVS_ARN" --output json >"$work/have"
compare() {
  jq -cn --slurpfile have "$work/have" --slurpfile want "$EDGE/kvs.json" "
    ([\$have[0].Items[] | {Key, Value}]) as \$have | ([\$want[0].data[] | {Key: .key, Value: .value}]) as \$want | $1
    | range(0; length; 50) as \$at | .[\$at:\$at + 50]" >"$work/$2"
}
# shellcheck disable=SC2016 # variables of jq
{
  compare '$want - $have' put
  compare '($have | map(.Key)) - ($want | map(.Key)) | map(select(startswith("secret:") | not) | {Key: .})' delete
}
update() {
  while read -r keys; do
    etag=$(aws cloudfront-keyvaluestore describe-key-value-store --kvs-arn "$KVS_ARN" --query ETag --output text)
    aws cloudfront-keyvaluestore update-keys --kvs-arn "$KVS_ARN" --if-match "$etag" "--$1" "$keys" >/dev/null
  done <"$work/$2"
}
update puts put
for name in request response; do
  aws cloudfront get-function --name "themecast-$name" --stage LIVE "$work/code" >/dev/null
  if cmp -s "$work/code" "$EDGE/viewer-$name.js"; then continue; fi
  aws cloudfront describe-function --name "themecast-$name" >"$work/function"
  etag=$(aws cloudfront update-function --name "themecast-$name" --if-match "$(jq -r .ETag "$work/function")" --query ETag --output text \
    --function-config "$(jq -c .FunctionSummary.FunctionConfig "$work/function")" --function-code "fileb://$EDGE/viewer-$name.js")
  aws cloudfront publish-function --name "themecast-$name" --if-match "$etag" >/dev/null
done
update deletes delete
finish
