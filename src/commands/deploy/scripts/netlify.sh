#!/bin/sh
# Deploys a build to Netlify with netlify-cli, a development dependency of the repository. Environment:
#   NETLIFY_AUTH_TOKEN, NETLIFY_SITE_ID
# Set by `themecast deploy`: EDGE, DIST, RECORD, EXPECT, PUBLIC_URL.
# Files, function, mapping and record go live as one version. Safe to repeat. Exit code 75: another deployment came first.
set -eu
: "${NETLIFY_AUTH_TOKEN:?}" "${NETLIFY_SITE_ID:?}"
here=$(cd "$(dirname "$0")" && pwd)
# shellcheck source=http-record.sh
. "$here/http-record.sh"
cp -R "$dist" "$work/dist"
cp "$dist/manifest.json" "$work/dist/api/v2/theme/manifest.json"
cp "$RECORD" "$work/dist/api/v2/theme/deployment.json"
# The tool of this repository, with the configuration of the build; --no-build: it names no command to run.
export work
# shellcheck disable=SC2016 # variables of the command
npx --no-install -c 'cd "$EDGE" && netlify deploy --prod --no-build --site "$NETLIFY_SITE_ID" --dir "$work/dist"'
