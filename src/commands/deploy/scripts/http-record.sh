# Read by cloudflare.sh, netlify.sh and vercel.sh: checks that the live record is the one that was compared.
# shellcheck shell=sh
: "${RECORD:?}" "${EXPECT:?}" "${EDGE:?}"
dist=${DIST:?} work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 130' HUP INT TERM
[ -s "$dist/manifest.json" ] || { echo "There is no build in $dist." >&2 && exit 2; }
mkdir "$work/live"
# Reads the live record and manifest, if they exist; at most 64 MB. -g: brackets in a URL are no pattern.
for file in deployment.json manifest.json; do
  status=$(ulimit -f 131072 && curl -gsS --proto =http,https --max-time 120 -o "$work/live/$file" -w '%{http_code}' --url "$PUBLIC_URL$file") || [ "$EXPECT" = any ]
  case $status,$EXPECT in 200,*) ;; 404,* | *,any) rm -f "$work/live/$file" ;; *) echo "$file: HTTP $status" >&2 && exit 1 ;; esac
done
live=-
if [ -e "$work/live/deployment.json" ]; then live=$(sha256sum <"$work/live/deployment.json" | cut -c1-64); fi
[ "$live" = "$EXPECT" ] || [ "$EXPECT" = any ] || { echo 'Another deployment came first.' >&2 && exit 75; }
