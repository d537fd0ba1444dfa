#!/bin/sh
# Runs on the server: puts a deployment live that web-server.sh has uploaded. To return to the previous deployment, run as the same user:
#   sh /srv/themecast/edge/nginx/publish.sh /srv/themecast/dist nginx
# A second run undoes that. Exit code 1: the server rejected the rules, and nothing has changed.
set -eu
root=$1 host=$2 folder=${1%/*}
public=$root/api/v2/theme rules=$folder/edge/$host
state=$folder/.${root##*/} # .files lists what an interrupted run may have left, .previous is the deployment before
next=${3:-$state.previous} expect=${4:-any} forget=${5:-}
reload=${6:-${DEPLOY_RELOAD:-sudo /usr/local/sbin/themecast-rules}}
exec 9>>"$folder/.deploy.lock" && flock -w 120 9
# shellcheck disable=SC2086 # a command with its arguments
reload() (set -f && exec $reload "$1" </dev/null 9>&-)
names() { sed -nE 's#^ *\{"path":"((api/v2/theme|schema)(/[A-Za-z0-9_-][A-Za-z0-9._-]*)+)",.*#\1#p' "$@"; }
exchange() { rsync -r --checksum --delete "$1/" "$rules/"; }
[ -e "$next/deployment.json" ] || { echo 'There is no deployment to go back to.' >&2 && exit 1; }
umask 022

# Is the live deployment still the one that was compared?
live=-
if [ -e "$public/deployment.json" ]; then live=$(sha256sum <"$public/deployment.json" | cut -c1-64); fi
if [ "$expect" != any ] && [ "$live" != "$expect" ]; then echo 'Another deployment came first.' >&2 && exit 75; fi
# Copies the live deployment, unless it is the same, or an interrupted run has left part of another.
saved=$state.saved
rm -rf "$saved"
if [ -e "$public/deployment.json" ] && [ ! -s "$state.files" ]; then
  if ! { cmp -s "$next/dist/manifest.json" "$public/manifest.json" && diff -r "$next/edge" "$rules" >/dev/null; }; then
    mkdir -m 700 "$saved"
    names "$public/manifest.json" | rsync -rt --ignore-missing-args --files-from=- --link-dest="$root" "$root/" "$saved/dist/"
    cp -p "$public/manifest.json" "$saved/dist/" && cp -p "$public/deployment.json" "$saved/" && cp -R "$rules" "$saved/edge"
  fi
fi
names "$next/dist/manifest.json" >"$next/names"
if [ -e "$public/manifest.json" ]; then names "$public/manifest.json" >>"$state.files"; fi
cat "$next/names" >>"$state.files"
# The server checks the rules before any document changes. Documents are published before the rules that serve them. Then documents that
# only an earlier manifest lists are removed, and the record comes last.
exchange "$next/edge"
reload check || {
  if [ -d "$saved" ]; then exchange "$saved/edge" && : >"$state.files"; fi
  exit 1
}
rsync -rt --checksum --delay-updates "$next/dist/" "$root/"
reload install
grep -Fxvf "$next/names" "$state.files" | while read -r name; do rm -f "$root/$name"; done
for name in dist/manifest.json deployment.json; do
  cp -p "$next/$name" "$public/.next.json" && mv "$public/.next.json" "$public/${name#dist/}"
done
if [ -d "$saved" ]; then rm -rf "$state.previous" && mv "$saved" "$state.previous"; fi
if [ -n "$forget" ]; then rm -rf "$state.previous"; fi
# Leftovers of killed deployments, which began before this one.
if [ -e "$next/started" ]; then find "$folder" -maxdepth 1 -name "${state##*/}.next-??????" ! -path "$next" ! -newer "$next/started" -exec rm -rf {} +; fi
if [ "$next" != "$state.previous" ]; then rm -rf "$next"; fi
rm -f "$state.files"
exit
