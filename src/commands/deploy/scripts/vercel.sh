#!/bin/sh
# Deploys a build to Vercel with its CLI, `vercel`, a development dependency of the repository. Environment:
#   VERCEL_TOKEN, VERCEL_ORG_ID, VERCEL_PROJECT_ID
# Set by `themecast deploy`: EDGE, DIST, RECORD, EXPECT, PUBLIC_URL.
# Files, middleware, mapping and record go live as one version. Safe to repeat. Exit code 75: another deployment came first.
set -eu
: "${VERCEL_TOKEN:?}" "${VERCEL_ORG_ID:?}" "${VERCEL_PROJECT_ID:?}"
here=$(cd "$(dirname "$0")" && pwd)
# shellcheck source=http-record.sh
. "$here/http-record.sh"
cp -R "$EDGE" "$work/site"
cp -R "$dist" "$work/site/public"
cp "$dist/manifest.json" "$work/site/public/api/v2/theme/manifest.json"
cp "$RECORD" "$work/site/public/api/v2/theme/deployment.json"
npx --no-install vercel deploy --prod --yes --cwd "$work/site" --token "$VERCEL_TOKEN"
