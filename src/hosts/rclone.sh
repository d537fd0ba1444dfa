# Read by deploy.sh: uploads dist/ to DEPLOY_REMOTE, but for the record. rclone takes the types of files from the machine, so each
# is named here.
# shellcheck shell=sh
: "${DEPLOY_REMOTE:?}" "${RECORD:?}" "${EXPECT:?}"
dist=${DIST:-$here/../../dist} public=$DEPLOY_REMOTE/api/v2/theme work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# send TYPE CACHE ARGUMENTS. --ignore-times: without MD5, as with SSE-KMS, rclone compares sizes alone, and two themes of equal
# length would not be exchanged.
send() {
  type=$1 cache=$2
  shift 2
  rclone "$@" --ignore-times --s3-no-check-bucket --header-upload "Content-Type: $type" --header-upload "Cache-Control: $cache"
}
# upload CLASS CACHE LIST: the files of a cache class that a list names, type by type.
upload() {
  sed -n "s/^$1|//p" "$work/rows" | cut -d'|' -f1 | sort -u | while read -r kind; do
    grep -F "$1|$kind|" "$work/rows" | cut -d'|' -f3 | grep -Fxf "$3" >"$work/files" || continue
    send "$kind" "$2" copy --files-from-raw "$work/files" "$dist" "$DEPLOY_REMOTE"
  done
}
unchanged() { # Exit code 3 or 4: there is none.
  rclone cat "$public/deployment.json" >"$work/live" 2>"$work/log" || case $? in 3 | 4) ;; *) cat "$work/log" >&2 && return 1 ;; esac
  live=-
  if [ -s "$work/live" ]; then live=$(sha256sum <"$work/live" | cut -c1-64); fi
  [ "$live" = "$EXPECT" ] || [ "$EXPECT" = any ] || { echo 'Another deployment came first.' >&2 && return 75; }
}
missing() { rclone check "$dist/media" "$DEPLOY_REMOTE/media" --one-way --size-only --missing-on-dst "$work/media" 2>"$work/log"; }

sed -n 's/^ *{"path":"\([^"]*\)",.*"type":"\([^"]*\)","cache_class":"\([a-z]*\)".*/\3|\2|\1/p' "$dist/manifest.json" >"$work/rows"
cut -d'|' -f3 "$work/rows" >"$work/all"
unchanged
# Phase 1: images. They are named by their content, so names and sizes decide; never overwritten, never deleted.
if ! missing; then
  sed 's#^#media/#' "$work/media" >"$work/new"
  upload immutable '{{immutable_cache}}' "$work/new"
  # The barrier: all of them are there, whatever the tool said.
  missing || { cat "$work/log" >&2 && exit 1; }
fi
# Phase 2: documents. The manifest comes first: an interrupted run leaves one that the live record does not name.
unchanged
changed=${CHANGED:-$work/all}
if [ -s "$changed" ]; then send application/json no-cache copyto "$dist/manifest.json" "$public/manifest.json"; fi
upload config '{{config_cache}}' "$changed"
upload list '{{list_cache}}' "$changed"
# The last step: the record, unless another deployment has come first.
finish() {
  unchanged || { code=$? && rclone deletefile "$public/manifest.json" && return $code; }
  send application/json no-cache copyto "$RECORD" "$public/deployment.json"
}
