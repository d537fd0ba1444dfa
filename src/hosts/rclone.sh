# Read by deploy.sh: uploads dist/ to DEPLOY_REMOTE, but for the record. rclone takes the types of files from the machine, so each
# is named here.
# shellcheck shell=sh
: "${DEPLOY_REMOTE:?}" "${RECORD:?}" "${EXPECT:?}"
dist=${DIST:-$here/../../dist} public=$DEPLOY_REMOTE/api/v2/theme work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 130' HUP INT TERM
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
  rclone cat "$public/deployment.json" >"$work/live" 2>"$work/log" ||
    case $? in 3 | 4) ;; *) cat "$work/log" >&2 && echo "$public/deployment.json cannot be read." >&2 && return 1 ;; esac
  live=-
  if [ -s "$work/live" ]; then live=$(sha256sum <"$work/live" | cut -c1-64); fi
  case $live,$EXPECT in -,- | *,any) ;; -,*) echo "$DEPLOY_REMOTE has no deployment.json, and {{public_url}} does. Is it of another bucket or folder?" >&2 && return 78 ;; esac
  [ "$live" = "$EXPECT" ] || [ "$EXPECT" = any ] || { echo 'Another deployment came first.' >&2 && return 75; }
}
# Lists the images of this build that are not there, if there are any; dist/ may have older ones, too.
missing() {
  : >"$work/media"
  rclone check "$dist/media" "$DEPLOY_REMOTE/media" --one-way --size-only --missing-on-dst "$work/media" 2>"$work/log" ||
    [ -s "$work/media" ] || { cat "$work/log" >&2 && exit 1; }
  sed 's#^#media/#' "$work/media" | grep -Fxf "$work/all" >"$work/new"
}

sed -n 's/^ *{"path":"\([^"]*\)",.*"type":"\([^"]*\)","cache_class":"\([a-z]*\)".*/\3|\2|\1/p' "$dist/manifest.json" >"$work/rows"
cut -d'|' -f3 "$work/rows" >"$work/all"
rclone lsf --max-depth 1 "$DEPLOY_REMOTE" >/dev/null || { echo "$DEPLOY_REMOTE cannot be listed: create the bucket or folder, or correct DEPLOY_REMOTE." >&2 && exit 78; }
unchanged
# Phase 1: images. They are named by their content, so names and sizes decide; never overwritten, never deleted.
if missing; then
  upload immutable '{{immutable_cache}}' "$work/new"
  # The barrier: all of them are there, whatever the tool said.
  if missing; then cat "$work/log" >&2 && exit 1; fi
fi
# Phase 2: documents. The manifest comes first: an interrupted run leaves one that the live record does not name.
unchanged
changed=${CHANGED:-$work/all}
if [ -s "$changed" ]; then send application/json no-cache copyto "$dist/manifest.json" "$public/manifest.json"; fi
upload config '{{config_cache}}' "$changed"
upload list '{{list_cache}}' "$changed"
# The last steps: the documents that are gone (one by one: `rclone delete --files-from` of 1.60 deletes nothing), and the record, unless
# another deployment has come first.
finish() {
  if [ -s "${GONE:-}" ]; then
    while read -r name; do rclone deletefile "$DEPLOY_REMOTE/$name" || echo "Not deleted: $name" >&2; done <"$GONE"
  fi
  unchanged || { code=$? && rclone deletefile "$public/manifest.json" && return $code; }
  send application/json no-cache copyto "$RECORD" "$public/deployment.json"
}
