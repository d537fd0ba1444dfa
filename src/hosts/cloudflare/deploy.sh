#!/bin/sh
# Deploys this build to Cloudflare with wrangler (a development dependency of the repository) and jq. Environment:
#   CLOUDFLARE_API_TOKEN, CLOUDFLARE_ACCOUNT_ID
#   WRANGLER_CONFIG  optional: your copy of wrangler.jsonc (default: cloudflare/wrangler.jsonc, see README.md)
#   RECORD, EXPECT   the deployment.json to publish, and the SHA-256 of the live one (- for none): docs/going-live.md
#   DIST             optional: the folder to publish, with the images that cached documents still refer to
# Safe to repeat. Exit code 75: another deployment came first.
set -eu
: "${CLOUDFLARE_API_TOKEN:?}" "${CLOUDFLARE_ACCOUNT_ID:?}"
here=$(cd "$(dirname "$0")" && pwd)
{{http_record}}
wrangler() { npx --no-install wrangler "$@" --config "${WRANGLER_CONFIG:-cloudflare/wrangler.jsonc}"; }
kv() { wrangler kv "$@" --binding {{binding}} --remote; }
# Images and documents go live with the Worker; the deployment record follows when the mapping is uploaded.
public=$work/dist/api/v2/theme
cp -R "$dist" "$work/dist"
cp "$dist/manifest.json" "$public/manifest.json"
if [ "$live" != - ]; then cp "$work/live/deployment.json" "$public/"; fi
wrangler deploy --assets "$work/dist"
{{#keyed}}
if [ "$(kv key get pointer --text 2>/dev/null | jq -r .build)" != "$(jq -r '.[0].value | fromjson.build' "$here/kv/pointer.json")" ]; then
  # Shards come first, as nothing reads them yet. A minute later they have reached all locations, and the pointer follows.
  kv bulk put "$here/kv/shards.json"
  sleep "${SPREAD:-60}"
  kv bulk put "$here/kv/pointer.json"
  sleep "${SPREAD:-300}" # until no location holds the previous pointer
fi
{{/keyed}}
{{^keyed}}
kv bulk put "$here/kv/users.json"
sleep "${SPREAD:-60}" # until all locations have them
{{/keyed}}
# Deletes removed keys. The lists contain all keys, so they stay in this folder.
kv key list >"$work/have"
jq -s '[.[0][].name] - [.[1:][][].key]' "$work/have" "$here"/kv/*.json >"$work/gone"
if [ "$(jq length "$work/gone")" -gt 0 ]; then kv bulk delete "$work/gone" --force; fi
cp "$RECORD" "$public/deployment.json"
wrangler deploy --assets "$work/dist"
