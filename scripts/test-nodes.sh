#!/usr/bin/env bash
# Runs what depends on Node.js itself on other versions than the tests use: sandbox protections, SQLite, and the packed tarball.
#   npm run test:nodes             on Node.js 20 and 24, installed from npm into a temporary folder
#   npm run test:nodes -- NODE…    on these programs instead
# The last line reads `N passed, N failed`. Exits non-zero if anything failed.
set -euo pipefail
cd "$(dirname "$0")/.."
export NO_COLOR=1

readonly VERSIONS=(20.20.2 24.21.0)
TESTS=(src/sandbox/{escape.soak,process/kernel.int}.test.ts src/storage/sqlite.int.test.ts)
if [[ ${TUTTI_TEST_LONG:-} == 1 ]]; then TESTS+=(src/sandbox/sandbox.soak.test.ts); fi
readonly TESTS
# Vitest passes over a file that does not exist.
ls "${TESTS[@]}"

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
step() { printf '\n== %s\n' "$*"; }

nodes=("$@")
if ((${#nodes[@]} == 0)); then
  for version in "${VERSIONS[@]}"; do
    status=0
    folder=$(scripts/node.sh "$version" "$work") || status=$?
    if ((status == 3)); then
      echo 'Skipped. Name programs instead: npm run test:nodes -- NODE…'
      echo '0 passed, 0 failed'
      exit 0
    fi
    ((status == 0)) || exit "$status"
    nodes+=("$folder/node")
  done
fi

# Pack once for all versions.
if [[ -z ${TUTTI_TARBALL:-} ]]; then
  npm pack --silent --pack-destination "$work" >/dev/null
  TUTTI_TARBALL=$(echo "$work"/tutti-*.tgz)
  export TUTTI_TARBALL
fi

# Runs the tests on one program. Writes the numbers of passed and failed tests into FOLDER/count.
run_on() {
  local node=$1 folder=$2 version status=0 passed failed
  version=$("$node" --version)
  step "Tests on Node $version: ${TESTS[*]}"
  timeout 20m "$node" node_modules/vitest/vitest.mjs run "${TESTS[@]}" --maxWorkers=2 \
    --reporter=default --reporter=json --outputFile.json="$folder/results.json" || status=$?
  read -r passed failed < <(node scripts/count-tests.mjs "$folder/results.json" "$status")
  step "Smoke test of the packed tarball on Node $version"
  if timeout 10m scripts/smoke-test.sh "$node"; then passed=$((passed + 1)); else failed=$((failed + 1)); fi
  echo "$passed $failed" >"$folder/count"
}

# Run in parallel, print one after the other.
running=()
for at in "${!nodes[@]}"; do
  mkdir "$work/$at"
  run_on "${nodes[at]}" "$work/$at" >"$work/$at/output" 2>&1 &
  running+=("$!")
done
total_passed=0
total_failed=0
for at in "${!nodes[@]}"; do
  wait "${running[at]}" || true
  cat "$work/$at/output"
  # Without a count, the run itself has failed.
  read -r passed failed < <(cat "$work/$at/count" 2>/dev/null || echo 0 1)
  total_passed=$((total_passed + passed))
  total_failed=$((total_failed + failed))
done
echo
echo "$total_passed passed, $total_failed failed"
((total_failed == 0))
