#!/bin/sh
# Deploys this build to Netlify with netlify-cli, a development dependency of the repository. Environment:
#   NETLIFY_AUTH_TOKEN, NETLIFY_SITE_ID
#   RECORD, EXPECT  the deployment.json to publish, and the SHA-256 of the live one (- for none): docs/going-live.md
#   DIST            optional: the folder to publish, with the images that cached documents still refer to
# Files, function, mapping and record go live as one version. Safe to repeat. Exit code 75: another deployment came first.
set -eu
: "${NETLIFY_AUTH_TOKEN:?}" "${NETLIFY_SITE_ID:?}"
here=$(cd "$(dirname "$0")" && pwd)
{{http_record}}
cp -R "$dist" "$work/dist"
cp "$dist/manifest.json" "$work/dist/api/v2/theme/manifest.json"
cp "$RECORD" "$work/dist/api/v2/theme/deployment.json"
cd "$here"
npx --no-install netlify deploy --prod --site "$NETLIFY_SITE_ID" --dir "$work/dist"
