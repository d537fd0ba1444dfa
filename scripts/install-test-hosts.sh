#!/usr/bin/env bash
# Installs everything that the tests start: servers, a browser, and the Python packages of an old service. Needs Debian and root. The
# installation starts no service.
set -euo pipefail

packages=(
  nginx-light libnginx-mod-http-js
  apache2 apache2-utils
  haproxy
  caddy
  varnish gcc libc6-dev
  chromium fonts-dejavu-core
  git git-lfs openssh-client openssh-server rsync rclone shellcheck jq
  curl bsdutils
  python3-djangorestframework python3-pil python3-yaml gunicorn
)

# Installs the runtimes of platforms, and other large packages.
npm ci --silent --prefix "$(dirname "$0")/../test"

missing=()
for package in "${packages[@]}"; do
  dpkg-query -W -f='${Status}' "$package" 2>/dev/null | grep -q 'ok installed' || missing+=("$package")
done
if [ "${#missing[@]}" -eq 0 ]; then
  echo "Already installed: ${packages[*]}"
  exit 0
fi

# Debian starts a service when its package is installed, unless this policy forbids it (invoke-rc.d, exit code 101).
policy=/usr/sbin/policy-rc.d
if [ ! -e "$policy" ]; then
  printf '#!/bin/sh\nexit 101\n' >"$policy"
  chmod +x "$policy"
  trap 'rm -f "$policy"' EXIT
fi
export DEBIAN_FRONTEND=noninteractive
apt-get update -qq
apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
echo "Installed: ${missing[*]}"
