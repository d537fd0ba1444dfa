#!/bin/sh
# Deploys this build to {{title}} by rsync and ssh; the server needs rsync and flock, too. Environment:
#   DEPLOY_SERVER   user@host
#   RECORD, EXPECT  the deployment.json to publish, and the SHA-256 of the live one (- for none): `themecast deploy` makes
#                   both, docs/going-live.md describes them
#   DEPLOY_RELOAD   optional: what installs, checks and loads the rules there (default: sudo /usr/local/sbin/themecast-rules)
#   DIST, RSYNC_RSH optional: the folder to publish (default: that of the build), and ssh with its options
# Safe to repeat. Exit code 75: another deployment came first; 78: a folder there has files of others; 1: the server rejected the rules.
set -eu
: "${DEPLOY_SERVER:?}" "${RECORD:?}" "${EXPECT:?}"
reload=${DEPLOY_RELOAD:-sudo /usr/local/sbin/themecast-rules}
root={{document_root}}
folder={{folder}} rules={{folder}}/edge/{{host}}
files=$folder/.${root##*/}.files new=$folder/.${root##*/}.next
public=api/v2/theme
here=$(cd "$(dirname "$0")" && pwd)
dist=${DIST:-$here/../../dist}
case $EXPECT in - | any) ;; *[!0-9a-f]*) echo "EXPECT: $EXPECT" >&2 && exit 2 ;; esac
[ -s "$dist/manifest.json" ] || { echo "There is no build in $dist." >&2 && exit 2; }
# shellcheck disable=SC2086 # ssh and its options
run() { ${RSYNC_RSH:-ssh} "$DEPLOY_SERVER" "$@"; }

# Only folders that are empty or have a deployment are deployed to. $files lists what an interrupted run may have left there.
next=$(run sh -eu <<REMOTE
claim() {
  if [ -e $files ] || [ -e "\$2" ] || [ ! -e "\$1" ]; then return; fi
  entries=\$(ls -A "\$1")
  [ -z "\$entries" ] || { echo "\$1 has files of others. Empty it, or choose another origin.document_root." >&2 && exit 78; }
}
claim $root $root/$public/manifest.json
claim $rules $rules/themecast-rules
umask 022 && mkdir -p $root/media && : >>$files
umask 077 && mkdir -p $rules && mktemp -d $new-XXXXXX
REMOTE
)
case $next in $new-*) ;; *) echo "$DEPLOY_SERVER printed: $next" >&2 && exit 1 ;; esac
trap 'run "rm -rf $next" || :' EXIT

# The files of the build, those that grep selects: $dist may have others.
list() { { echo manifest.json && sed -n 's/^ *{"path":"\([^"]*\)".*/\1/p' "$dist/manifest.json"; } | grep "$@"; }
# Phase 1: every image, before any document. They are named by their content, and never deleted here.
images() { list '^media/' | rsync --files-from=- --size-only --chmod=D755,F644 "$@" "$dist/" "$DEPLOY_SERVER:$root/"; }
images
# The barrier: what rsync would still send.
left=$(images -n --out-format=%n | grep -v '/$' || :)
[ -z "$left" ] || { echo "Not uploaded: $left" >&2 && exit 1; }
# Phase 2 arrives beside what is live: only what has changed is sent.
list -v '^media/' | rsync --files-from=- --checksum --link-dest="$root" --chmod=D755,F644 "$dist/" "$DEPLOY_SERVER:$next/dist/"
rsync -r --checksum --chmod=D700,F600 --exclude=/deploy.sh "$here/" "$DEPLOY_SERVER:$next/edge/"
rsync --chmod=F644 "$RECORD" "$DEPLOY_SERVER:$next/deployment.json"
# Under one lock: is what is live still what was compared? Documents before the rules that give them to users, then the documents
# that only an earlier manifest names are removed, and the record comes last.
run "flock -w 120 $folder/.deploy.lock sh -eu" <<REMOTE
{
  live=-
  if [ -e $root/$public/deployment.json ]; then live=\$(sha256sum <$root/$public/deployment.json | cut -c1-64); fi
  if [ $EXPECT != any ] && [ "\$live" != $EXPECT ]; then echo 'Another deployment came first.' >&2; exit 75; fi
  names() { sed -nE 's#^ *\{"path":"((api/v2/theme|schema)(/[A-Za-z0-9_-][A-Za-z0-9._-]*)+)",.*#\1#p' "\$@"; }
  names $next/dist/manifest.json >$next/names
  if [ -e $root/$public/manifest.json ]; then names $root/$public/manifest.json >>$files; fi
  cat $next/names >>$files
  rsync -r --checksum --delay-updates $next/dist/ $root/
  rsync -r --checksum --delete $next/edge/ $rules/
  $reload </dev/null
  grep -Fxvf $next/names $files | while read -r name; do rm -f "$root/\$name"; done
  cp $next/dist/manifest.json $next/manifest.json
  mv $next/manifest.json $next/deployment.json $root/$public/
  rm -rf $next $files
  find $folder -maxdepth 1 -name '${new##*/}-??????' -mmin +1440 -exec rm -rf {} +
  exit
}
REMOTE
trap - EXIT
