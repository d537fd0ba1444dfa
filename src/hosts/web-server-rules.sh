#!/bin/sh
# Installs uploaded rules in {{title}}, as root on the server. Copy this once to /usr/local/sbin/themecast-rules (root, 0755).
#   themecast-rules version  prints the version of this script
#   themecast-rules check    checks the uploaded rules; the rules in use stay
#   themecast-rules install  checks them, and reloads the server if they have changed
# $to becomes a link to the folder of the rules in use. One rename replaces it, so an interrupted run leaves either the old rules or the
# new ones.
set -eu
export LC_ALL=C
umask 077
mode=${1:-}
from=${2:-{{folder}}/edge/{{host}}}
to=${3:-/etc/{{etc}}/themecast}
folders=$to-rules
case $mode in
  version) echo {{rules_version}} && exit ;;
  check | install) ;;
  *) echo 'Usage: themecast-rules version|check|install' >&2 && exit 2 ;;
esac

use() {
  if [ -z "$1" ]; then rm -f "$to" && return; fi
  ln -sfn "${1##*/}" "$folders.link"
  mv -fT "$folders.link" "$to"
}
check() { {{check}}; }
# Removes the previous rules, and leftovers of interrupted runs.
clean() {
  for folder in "$folders".*; do
    if [ "${folder##*/}" != "$1" ]; then rm -rf "$folder"; fi
  done
}
# Lists the files of a folder, except secrets that you have written there: their names are those of environment variables.
sums() { (cd "$1" && find . -type f ! -name '[A-Z]*.map' ! -name .sums -exec sha256sum {} + | sort | sha256sum); }

# Only once: keeps a folder that you have made for shared secrets.
if [ -d "$to" ] && [ ! -L "$to" ]; then mv "$to" "$folders.first"; fi
if [ ! -e "$to" ] && [ -e "$folders.first" ]; then use "$folders.first"; fi

old=$(readlink "$to" || true)
# Reloads only after a change, because some servers drop connections at a reload.
uploaded=$(sums "$from")
if [ -e "$to/.sums" ] && [ "$uploaded $(sums "$to")" = "$(cat "$to/.sums")" ]; then clean "$old" && exit; fi
new=$(mktemp -d "$folders.XXXXXX")
cp -RP "$from/." "$new"
{{#nginx}}
for secret in "$to"/[A-Z]*.map; do
  if [ -f "$secret" ]; then cp -p "$secret" "$new/"; fi
done
{{/nginx}}
{{#apache}}
for map in users groups{{#moved}} redirects{{/moved}}; do
  httxt2dbm -f "${THEMECAST_DBM:-DB}" -i "$new/$map.txt" -o "$new/$map.dbm" && chmod 0640 "$new/$map.dbm"
done
{{/apache}}
{{#has_group}}
# {{title}} reads them as this group.
chgrp -R {{group}} "$new"
chmod -R g=rX "$new"
{{/has_group}}

use "$new"
if check; then
  used=${new##*/}
  if [ "$mode" = check ]; then
    use "$old"
    clean "$old"
    exit
  fi
  {{reload}}
  echo "$uploaded $(sums "$new")" >"$new/.sums"
else
  use "$old"
  used=$old
{{#nginx}}
  echo 'A "duplicate location" is one of your own: README.md, "A server that exists already", moves the images to another path.' >&2
{{/nginx}}
fi
clean "$used"
[ "$used" != "$old" ]
