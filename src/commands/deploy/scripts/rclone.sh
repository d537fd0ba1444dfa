# Read by static.sh and cloudfront.sh: uploads dist/ to DEPLOY_REMOTE, except the record. Media types are explicit, because rclone would take them from
# the machine.
# shellcheck shell=sh
: "${DEPLOY_REMOTE:?}" "${RECORD:?}" "${EXPECT:?}" "${SERVED:?}"
dist=${DIST:?} public=$DEPLOY_REMOTE/api/v2/theme work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 130' HUP INT TERM
# send TYPE CACHE ARGUMENTS. --ignore-times: without MD5, as with SSE-KMS, rclone compares only sizes, and would not replace a theme by
# another of equal length.
send() {
  type=$1 cache=$2
  shift 2
  rclone "$@" --ignore-times --s3-no-check-bucket --header-upload "Content-Type: $type" --header-upload "Cache-Control: $cache"
}
# upload CLASS CACHE LIST: SERVED has lines CLASS|TYPE|PATH. Uploads the files of a cache class that are in a list, type by type.
upload() {
  sed -n "s/^$1|//p" "$SERVED" | cut -d'|' -f1 | sort -u | while read -r kind; do
    grep -F "$1|$kind|" "$SERVED" | cut -d'|' -f3 | grep -Fxf "$3" >"$work/files" || continue
    send "$kind" "$2" copy --files-from-raw "$work/files" "$dist" "$DEPLOY_REMOTE"
  done
}
unchanged() { # Exit code 3 or 4: there is none.
  rclone cat "$public/deployment.json" >"$work/live" 2>"$work/log" ||
    case $? in 3 | 4) ;; *) cat "$work/log" >&2 && echo "$public/deployment.json cannot be read." >&2 && return 1 ;; esac
  live=-
  if [ -s "$work/live" ]; then live=$(sha256sum <"$work/live" | cut -c1-64); fi
  case $live,$EXPECT in -,- | *,any) ;; -,*) echo "$DEPLOY_REMOTE has no deployment.json, and $PUBLIC_URL does. Is it of another bucket or folder?" >&2 && return 78 ;; esac
  [ "$live" = "$EXPECT" ] || [ "$EXPECT" = any ] || { echo 'Another deployment came first.' >&2 && return 75; }
}
# Lists the images of this build that are missing in the store; dist/ may contain older images too.
missing() {
  : >"$work/media"
  rclone check "$dist/media" "$DEPLOY_REMOTE/media" --one-way --size-only --missing-on-dst "$work/media" 2>"$work/log" ||
    [ -s "$work/media" ] || { cat "$work/log" >&2 && exit 1; }
  sed 's#^#media/#' "$work/media" | grep -Fxf "$work/all" >"$work/new"
}

cut -d'|' -f3 "$SERVED" >"$work/all"
rclone lsf --max-depth 1 "$DEPLOY_REMOTE" >/dev/null || { echo "$DEPLOY_REMOTE cannot be listed: create the bucket or folder, or correct DEPLOY_REMOTE." >&2 && exit 78; }
unchanged
# Phase 1: images. Their names contain a hash, so names and sizes identify them; they are never overwritten or deleted.
if missing; then
  upload immutable "$IMMUTABLE_CACHE" "$work/new"
  # The barrier: all images are in the store, whatever the tool reported.
  if missing; then cat "$work/log" >&2 && exit 1; fi
fi
# Phase 2: documents. The manifest comes first: after an interrupted run, the live record does not match it.
unchanged
changed=${CHANGED:-$work/all}
if [ -s "$changed" ]; then send application/json no-cache copyto "$dist/manifest.json" "$public/manifest.json"; fi
upload config "$CONFIG_CACHE" "$changed"
upload list "$LIST_CACHE" "$changed"
# The last steps: deletes removed documents (one by one, because `rclone delete --files-from` of 1.60 deletes nothing), and writes the
# record, unless another deployment came first.
finish() {
  if [ -s "${GONE:-}" ]; then
    while read -r name; do rclone deletefile "$DEPLOY_REMOTE/$name" || echo "Not deleted: $name" >&2; done <"$GONE"
  fi
  unchanged || { code=$? && rclone deletefile "$public/manifest.json" && return $code; }
  send application/json no-cache copyto "$RECORD" "$public/deployment.json"
}
