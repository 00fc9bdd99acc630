#!/usr/bin/env bash
# Packs Tutti, installs the tarball into an empty folder as a user would, and asks the demo database a question there.
#   scripts/smoke-test.sh [NODE, the program to run it with; `node` when absent]
# A tarball that TUTTI_TARBALL names is taken as it is, and none is packed.
set -euo pipefail
cd "$(dirname "$0")/.."

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() { echo "Smoke test: $*" >&2; exit 1; }

tarball=${TUTTI_TARBALL:-}
if [[ -z $tarball ]]; then
  npm pack --silent --pack-destination "$work" >/dev/null
  tarball=$(echo "$work"/tutti-*.tgz)
fi
contents=$(tar -tzf "$tarball")
for wanted in package/README.md package/LICENSE package/dist/index.js package/dist/index.d.ts package/dist/cli/main.js; do
  grep -qx "$wanted" <<<"$contents" || fail "the tarball lacks ${wanted#package/}"
done
if grep -E '\.(test|fixture)\.|^package/(src|test|demo|\.ci)/' <<<"$contents"; then fail 'the tarball holds files that only developers need'; fi

# What is installed and run from here on is by that Node: npm and npx as well.
if (($# > 0)); then
  mkdir "$work/bin"
  ln -s "$(realpath "$1")" "$work/bin/node"
  export PATH="$work/bin:$PATH"
fi

mkdir "$work/app"
cd "$work/app"
export TUTTI_DATA="$work/data"
echo '{ "name": "smoke", "private": true, "type": "module" }' >package.json
npm install --omit=dev --prefer-offline --no-audit --no-fund --silent "$tarball"
# --no: a command that is missing is an error, never a reason to fetch a package of that name.
tutti() { npx --no -- tutti "$@"; }

version=$(tutti --version)
[[ $tarball == */tutti-$version.tgz ]] || fail "tutti --version prints '$version', the tarball is $tarball"
echo "tutti $version is installed from the tarball, on Node $(node --version)"

node --input-type=module -e '
  const names = Object.keys(await import("tutti"))
  if (names.length === 0) throw new Error("the library exports nothing")
  console.log(`import "tutti" gives ${names.length} names`)
  const { ManualClock } = await import("tutti/testing")
  if (typeof (await import("tutti/client")).createClient !== "function") throw new Error("tutti/client has no createClient")
  const app = await (await import("tutti")).createApp({ clock: new ManualClock() })
  await app.close()'

tutti demo . >/dev/null
answer=$(tutti ask 'How many customers are there?' --db sqlite:brindlemoor.sqlite --json)
expected=$(node -e '
  const Database = require("libsql")
  console.log(new Database("brindlemoor.sqlite").prepare("SELECT COUNT(*) AS n FROM customers").get().n)')
node -e '
  const [answer, expected] = process.argv.slice(1)
  const { data } = JSON.parse(answer)
  const found = Object.values(data?.rows?.[0] ?? {})
  if (!found.some((cell) => Number(cell) === Number(expected))) {
    console.error(`Expected ${expected} customers, got: ${answer}`)
    process.exit(1)
  }' "$answer" "$expected"
echo "tutti ask counts the $expected customers of the demo database"

# After a question: without a database of its own, doctor writes nothing into the data folder.
report=$(tutti doctor)
echo "$report"
# "Ready" comes before what may break: Python must have run.
grep -q 'Python (.*): a process for each job' <<<"$report" || fail 'Python could not run'
# The package has the snapshot of the Node.js that built it; others make their own. Every snapshot differs.
for packed in node_modules/tutti/dist/sandbox/python-node"$(node -p 'process.versions.node.split(".", 1)[0]')"-*.gz; do
  [[ ! -e $packed ]] || gunzip -c "$packed" | cmp - "$TUTTI_DATA"/cache/python-*.snapshot.* ||
    fail 'Python did not start from the snapshot of the package'
done
echo 'tutti doctor runs code in the sandbox'

# Without a model, closest passages are shown in place of an answer: exit code 5.
answer=$(tutti ask 'What does the returns policy say about damaged goods?' --docs brindlemoor-documents) || (($? == 5))
grep -q 'within 7 days of delivery.*\[1\]' <<<"$answer" || fail "the returns policy was not quoted: $answer"
echo 'tutti ask quotes the returns policy, with its page'
