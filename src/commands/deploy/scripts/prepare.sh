# Runs on the server before an upload, by web-server.sh: prints a new folder for it.
# shellcheck shell=sh
root=$1 host=$2 wanted=$3 reload=$4
folder=${root%/*} state=${root%/*}/.${root##*/} docs='as docs/going-live.md says.'
fail() { echo "$1" >&2 && exit 78; }
# Deploys only to a folder that is empty or has a deployment. .files lists what an interrupted run may have left there.
claim() {
  if [ -e "$state.files" ] || [ -e "$2" ] || [ ! -e "$1" ]; then return; fi
  [ -z "$(ls -A "$1")" ] || fail "$1 has files of others. Empty it, or choose another origin.document_root."
}
mkdir -p "$folder" || fail "Create $folder for this user, $docs"
claim "$root" "$root/api/v2/theme/manifest.json"
claim "$folder/edge/$host" "$folder/edge/$host/themecast-rules"
script=${reload##* }
# shellcheck disable=SC2086 # a command with its arguments
if ! version=$(set -f && $reload version </dev/null); then
  [ -e "$script" ] || fail "There is no $script: copy it from edge/$host/themecast-rules, $docs"
  fail "\`$reload version\` failed. Allow this user its three commands (version, check, install) by sudo, $docs"
fi
[ "$version" = "$wanted" ] || fail "$script has version $version, not $wanted: copy it again from edge/$host/themecast-rules, $docs"
umask 022 && mkdir -p "$root/media" && : >>"$state.files"
umask 077 && mkdir -p "$folder/edge/$host"
next=$(mktemp -d "$state.next-XXXXXX")
: >"$next/started" && echo "$next"
