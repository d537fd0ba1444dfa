#!/bin/sh
# Puts uploaded rules into {{title}}, as root on the server: copy this once to /usr/local/sbin/themecast-rules (root, 0755).
# The server checks them first; if they are wrong, the old ones stay. $to becomes a link to the folder of the rules in use. One
# rename replaces it, so an interrupted run leaves either the old rules or the new ones.
set -eu
export LC_ALL=C
umask 077
from=${1:-{{folder}}/edge/{{host}}}
to=${2:-/etc/{{etc}}/themecast}
folders=$to-rules

use() {
  ln -sfn "${1##*/}" "$folders.link"
  mv -fT "$folders.link" "$to"
}
check() { {{check}}; }
# Removes the rules before those in use, and what interrupted runs have left.
clean() {
  for folder in "$folders".*; do
    if [ "${folder##*/}" != "$1" ]; then rm -rf "$folder"; fi
  done
}

# Only once: a folder that you have made for shared secrets.
if [ -d "$to" ] && [ ! -L "$to" ]; then mv "$to" "$folders.first"; fi
if [ ! -e "$to" ] && [ -e "$folders.first" ]; then use "$folders.first"; fi

old=$(readlink "$to" || true)
# Without a change, nothing is loaded again: some servers drop connections when they do.
sum=$(cd "$from" && find . -type f -exec sha256sum {} + | sort | sha256sum)
if [ "$sum" = "$(cat "$to/.uploaded" 2>/dev/null)" ]; then clean "$old" && exit; fi
new=$(mktemp -d "$folders.XXXXXX")
cp -RP "$from/." "$new"
{{#nginx}}
# Shared secrets, which you have written there yourself: they have names of environment variables.
for secret in "$to"/[A-Z]*.map; do
  if [ -f "$secret" ]; then cp -p "$secret" "$new/"; fi
done
{{/nginx}}
{{#apache}}
sh "$new/make-maps.sh"
{{/apache}}
{{#has_group}}
# {{title}} reads them as this group.
chgrp -R {{group}} "$new"
chmod -R g=rX "$new"
{{/has_group}}

use "$new"
if check; then
  {{reload}}
  echo "$sum" >"$new/.uploaded"
  used=${new##*/}
else
  if [ -n "$old" ]; then use "$old"; else rm "$to"; fi
  used=$old
fi
clean "$used"
[ "$used" != "$old" ]
