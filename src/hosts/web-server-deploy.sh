#!/bin/sh
# Deploys this build to {{title}} with rsync and ssh; the server needs rsync and flock too. Environment:
#   DEPLOY_SERVER   user@host; `themecast deploy` takes several, and runs this script for each
#   RECORD, EXPECT  the deployment.json to publish, and the SHA-256 of the live one (- for none): docs/going-live.md
#   DEPLOY_RELOAD   optional: the command that checks and installs the rules there (default: sudo /usr/local/sbin/themecast-rules)
#   DIST, RSYNC_RSH optional: the folder to publish (default: the output directory), and ssh with its options
#   STEP            optional: `live` copies the two records of the server to the folder LIVE; `images` and `documents` are its two halves
#   FORGET          optional: any text deletes the copy of the previous deployment from the server
# Safe to interrupt and to repeat. Exit code 75: another deployment came first; 78: the server is not prepared; 1: it rejected the rules.
set -eu
: "${DEPLOY_SERVER:?}"
reload=${DEPLOY_RELOAD:-sudo /usr/local/sbin/themecast-rules}
root={{document_root}} public=api/v2/theme
folder={{folder}} rules={{folder}}/edge/{{host}}
files=$folder/.${root##*/}.files new=$folder/.${root##*/}.next
here=$(cd "$(dirname "$0")" && pwd)
dist=${DIST:-$here/../../dist}
# shellcheck disable=SC2086 # ssh and its options
run() { ${RSYNC_RSH:-ssh} "$DEPLOY_SERVER" "$@"; }
if [ "${STEP:-}" = live ]; then
  for file in $public/deployment.json $public/manifest.json; do
    run "if [ -e $root/$file ]; then cat $root/$file; fi" >"${LIVE:?}/${file##*/}" # empty: there is none
  done
  exit
fi
: "${RECORD:?}" "${EXPECT:?}"
case $EXPECT in - | any) ;; *[!0-9a-f]*) echo "EXPECT: $EXPECT" >&2 && exit 2 ;; esac
[ -s "$dist/manifest.json" ] || { echo "There is no build in $dist." >&2 && exit 2; }

# Deploys only to a folder that is empty or has a deployment. $files lists the files that an interrupted run may have left there.
next=$(run sh -eu <<REMOTE
claim() {
  if [ -e $files ] || [ -e "\$2" ] || [ ! -e "\$1" ]; then return; fi
  entries=\$(ls -A "\$1")
  [ -z "\$entries" ] || { echo "\$1 has files of others. Empty it, or choose another origin.document_root." >&2 && exit 78; }
}
mkdir -p $folder || { echo "Create $folder for this user, as docs/going-live.md says." >&2 && exit 78; }
claim $root $root/$public/manifest.json
claim $rules $rules/themecast-rules
version=\$($reload version </dev/null) || version=none
old="themecast-rules has version \$version there, not {{rules_version}}: copy it again from edge/{{host}}/, as docs/going-live.md says."
[ "\$version" = {{rules_version}} ] || { echo "\$old" >&2 && exit 78; }
umask 022 && mkdir -p $root/media && : >>$files
umask 077 && mkdir -p $rules && mktemp -d $new-XXXXXX
REMOTE
)
case $next in $new-*) ;; *) echo "$DEPLOY_SERVER printed: $next" >&2 && exit 1 ;; esac
trap 'run "rm -rf $next" || :' EXIT
trap 'exit 130' HUP INT TERM

# Lists the files of the build that grep selects; $dist may contain others.
list() { { echo manifest.json && sed -n 's/^ *{"path":"\([^"]*\)".*/\1/p' "$dist/manifest.json"; } | grep "$@"; }
# Phase 1: every image, before any document. Their names contain a hash, and they are never deleted here.
images() { list '^media/' | rsync --files-from=- --size-only --chmod=D755,F644 "$@" "$dist/" "$DEPLOY_SERVER:$root/"; }
if [ "${STEP:-}" != documents ]; then
  images
  # The barrier: lists files that rsync would still send.
  left=$(images -n --out-format=%n | grep -v '/$' || :)
  [ -z "$left" ] || { echo "Not uploaded: $left" >&2 && exit 1; }
  if [ "${STEP:-}" = images ]; then exit; fi
fi
# Phase 2 uploads changed files beside the live ones. -t keeps the times of the build, because servers make ETags of them, and all servers
# of a fleet must have the same ETags.
list -v '^media/' | rsync -t --files-from=- --checksum --link-dest="$root" --chmod=D755,F644 "$dist/" "$DEPLOY_SERVER:$next/dist/"
rsync -r --checksum --chmod=D700,F600 --exclude=/deploy.sh "$here/" "$DEPLOY_SERVER:$next/edge/"
rsync -t --chmod=F644 "$RECORD" "$DEPLOY_SERVER:$next/deployment.json"
# The last step takes seconds, and cannot be interrupted.
trap '' HUP INT TERM
run "flock -w 120 $folder/.deploy.lock sh -eu" <<REMOTE
reload() { $reload "\$1" </dev/null; }
next=$next expect=$EXPECT forget=${FORGET:+yes}
. $next/edge/publish.sh
REMOTE
trap - EXIT
