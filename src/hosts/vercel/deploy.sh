#!/bin/sh
# Deploys this build to Vercel with its CLI, `vercel`, a development dependency of the repository. Environment:
#   VERCEL_TOKEN, VERCEL_ORG_ID, VERCEL_PROJECT_ID
#   RECORD, EXPECT  the deployment.json to publish, and the SHA-256 of the live one (- for none): docs/going-live.md
#   DIST            optional: the folder to publish, with the images that cached documents still refer to
# Files, middleware, mapping and record go live as one version. Safe to repeat. Exit code 75: another deployment came first.
set -eu
: "${VERCEL_TOKEN:?}" "${VERCEL_ORG_ID:?}" "${VERCEL_PROJECT_ID:?}"
here=$(cd "$(dirname "$0")" && pwd)
{{http_record}}
cp -R "$here" "$work/site"
cp -R "$dist" "$work/site/public"
cp "$dist/manifest.json" "$work/site/public/api/v2/theme/manifest.json"
cp "$RECORD" "$work/site/public/api/v2/theme/deployment.json"
npx --no-install vercel deploy --prod --yes --cwd "$work/site" --token "$VERCEL_TOKEN"
