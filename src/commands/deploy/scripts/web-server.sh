#!/bin/sh
# Deploys a build to nginx, Apache httpd or Caddy with rsync and ssh; the server needs rsync and flock too. Environment:
#   DEPLOY_SERVER   user@host; `themecast deploy` takes several, and runs this script for each
#   DEPLOY_RELOAD   optional: the command that checks and installs the rules there (default: sudo /usr/local/sbin/themecast-rules)
#   RSYNC_RSH       optional: ssh with its options
# Set by `themecast deploy`: EDGE_HOST, EDGE, ROOT (the folder to publish to), RULES_VERSION, DIST, RECORD, EXPECT;
#   STEP            `live` copies the two records of the server to the folder LIVE; `images` and `documents` are its two halves
#   FORGET          optional: any text deletes the copy of the previous deployment from the server
# Safe to interrupt and to repeat. Exit code 75: another deployment came first; 78: the server is not prepared; 1: it rejected the rules.
set -eu
: "${DEPLOY_SERVER:?}" "${EDGE_HOST:?}" "${ROOT:?}"
reload=${DEPLOY_RELOAD:-sudo /usr/local/sbin/themecast-rules}
new=${ROOT%/*}/.${ROOT##*/}.next
here=$(cd "$(dirname "$0")" && pwd)
# remote TEXT VALUES…: runs a text of this package there. ssh gets a fixed command; values and text come as its input, line by line.
remote() {
  text=$1 && shift
  case $* in *"
"*) echo "A setting has several lines: $*" >&2 && exit 2 ;; esac
  # shellcheck disable=SC2016,SC2086 # variables of the server; ssh and its options
  printf '%s\n' "$#" "$@" "$text" | ${RSYNC_RSH:-ssh} "$DEPLOY_SERVER" \
    'sh -euc '\''set --; read -r n; while [ "$n" -gt 0 ]; do IFS= read -r value; set -- "$@" "$value"; n=$((n - 1)); done; exec sh -eus -- "$@"'\'
}
if [ "${STEP:-}" = live ]; then
  for file in deployment.json manifest.json; do
    # shellcheck disable=SC2016 # empty: there is none
    remote 'if [ -e "$1" ]; then cat "$1"; fi' "$ROOT/api/v2/theme/$file" >"${LIVE:?}/$file"
  done
  exit
fi
: "${RECORD:?}" "${EXPECT:?}" "${DIST:?}" "${EDGE:?}" "${RULES_VERSION:?}"
[ -s "$DIST/manifest.json" ] || { echo "There is no build in $DIST." >&2 && exit 2; }

next=$(remote "$(cat "$here/prepare.sh")" "$ROOT" "$EDGE_HOST" "$RULES_VERSION" "$reload")
case $next in "$new"-*) ;; *) echo "$DEPLOY_SERVER printed: $next" >&2 && exit 1 ;; esac
# shellcheck disable=SC2016 # variables of the server
trap 'remote '\''rm -rf "$1"'\'' "$next" || :' EXIT
trap 'exit 130' HUP INT TERM

# Lists the files of the build that grep selects; $DIST may contain others.
list() { { echo manifest.json && sed -n 's/^ *{"path":"\([^"]*\)".*/\1/p' "$DIST/manifest.json"; } | grep "$@"; }
# Phase 1: every image, before any document. Their names contain a hash, and they are never deleted here.
images() { list '^media/' | rsync --files-from=- --size-only --chmod=D755,F644 "$@" "$DIST/" "$DEPLOY_SERVER:$ROOT/"; }
if [ "${STEP:-}" != documents ]; then
  images
  # The barrier: lists files that rsync would still send.
  left=$(images -n --out-format=%n | grep -v '/$' || :)
  [ -z "$left" ] || { echo "Not uploaded: $left" >&2 && exit 1; }
  if [ "${STEP:-}" = images ]; then exit; fi
fi
# Phase 2 uploads changed files beside the live ones. -t keeps the times of the build, because servers make ETags of them, and all servers
# of a fleet must have the same ETags.
list -v '^media/' | rsync -t --files-from=- --checksum --link-dest="$ROOT" --chmod=D755,F644 "$DIST/" "$DEPLOY_SERVER:$next/dist/"
rsync -r --checksum --chmod=D700,F600 --exclude=/publish.sh "$EDGE/" "$DEPLOY_SERVER:$next/edge/"
rsync --chmod=F600 "$here/publish.sh" "$DEPLOY_SERVER:$next/edge/"
rsync -t --chmod=F644 "$RECORD" "$DEPLOY_SERVER:$next/deployment.json"
# The last step takes seconds, and cannot be interrupted.
trap '' HUP INT TERM
# shellcheck disable=SC2016 # variables of the server
remote 'exec sh "$1/edge/publish.sh" "$2" "$3" "$1" "$4" "$5" "$6" </dev/null' \
  "$next" "$ROOT" "$EDGE_HOST" "$EXPECT" "${FORGET:+yes}" "$reload"
trap - EXIT
