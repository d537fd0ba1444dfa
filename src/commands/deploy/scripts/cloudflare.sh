#!/bin/sh
# Deploys a build to Cloudflare with wrangler (a development dependency of the repository) and jq. Environment:
#   CLOUDFLARE_API_TOKEN, CLOUDFLARE_ACCOUNT_ID
#   WRANGLER_CONFIG  optional: your copy of wrangler.jsonc (default: cloudflare/wrangler.jsonc, see README.md)
# Set by `themecast deploy`: EDGE, DIST, RECORD, EXPECT, PUBLIC_URL, BINDING, KEYED.
# Safe to repeat. Exit code 75: another deployment came first.
set -eu
: "${CLOUDFLARE_API_TOKEN:?}" "${CLOUDFLARE_ACCOUNT_ID:?}"
here=$(cd "$(dirname "$0")" && pwd)
# shellcheck source=http-record.sh
. "$here/http-record.sh"
wrangler() { npx --no-install wrangler "$@" --config "${WRANGLER_CONFIG:-cloudflare/wrangler.jsonc}"; }
kv() { wrangler kv "$@" --binding "${BINDING:?}" --remote; }
# Images and documents go live with the Worker; the deployment record follows when the mapping is uploaded.
public=$work/dist/api/v2/theme
cp -R "$dist" "$work/dist"
cp "$dist/manifest.json" "$public/manifest.json"
if [ "$live" != - ]; then cp "$work/live/deployment.json" "$public/"; fi
wrangler deploy --assets "$work/dist"
if [ -z "${KEYED:-}" ]; then
  kv bulk put "$EDGE/kv/users.json"
  sleep "${SPREAD:-60}" # until all locations have them
elif [ "$(kv key get pointer --text 2>/dev/null | jq -r .build)" != "$(jq -r '.[0].value | fromjson.build' "$EDGE/kv/pointer.json")" ]; then
  # Shards come first, as nothing reads them yet. A minute later they have reached all locations, and the pointer follows.
  kv bulk put "$EDGE/kv/shards.json"
  sleep "${SPREAD:-60}"
  kv bulk put "$EDGE/kv/pointer.json"
  sleep "${SPREAD:-300}" # until no location holds the previous pointer
fi
# Deletes removed keys. The lists contain all keys, so they stay in this folder.
kv key list >"$work/have"
jq -s '[.[0][].name] - [.[1:][][].key]' "$work/have" "$EDGE"/kv/*.json >"$work/gone"
if [ "$(jq length "$work/gone")" -gt 0 ]; then kv bulk delete "$work/gone" --force; fi
cp "$RECORD" "$public/deployment.json"
wrangler deploy --assets "$work/dist"
