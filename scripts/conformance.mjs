// Holds Tutti's MCP client against the client suite of @modelcontextprotocol/conformance for MCP 2025-11-25:
//
//   npm run conformance
//   npm run conformance -- auth/basic-cimd    some of its scenarios
//
// The suite needs Node 22 or newer; the client runs on the same. One scenario after the other, since one of them measures time.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

const VERSION = '2025-11-25'

if (Number(process.versions.node.split('.')[0]) < 22) {
  console.error(`The conformance suite needs Node 22 or newer; this is ${process.version}.`)
  process.exit(1)
}
const root = join(import.meta.dirname, '..')
const results = mkdtempSync(join(tmpdir(), 'tutti-conformance-'))
const found = createRequire(import.meta.url).resolve('@modelcontextprotocol/conformance/package.json')
const suite = join(dirname(found), 'dist', 'index.js')
const client = `${process.execPath} --import tsx ${join(root, 'scripts', 'conformance-client.ts')}`

function run(...args) {
  return spawnSync(process.execPath, [suite, ...args], { cwd: root, encoding: 'utf8', timeout: 180_000 })
}

function scenarios() {
  const lines = run('list', '--client').stdout.split('\n')
  return lines.flatMap((line) => {
    const [, name, versions = ''] = /^\s+- (\S+) \[(.+)\]$/.exec(line) ?? []
    return versions.split(',').includes(VERSION) ? [name] : []
  })
}

let failed = 0
const given = process.argv.slice(2)
const names = given.length > 0 ? given : scenarios()
for (const name of names) {
  const { status, stdout, stderr } = run('client', '--command', client, '--scenario', name, '-o', results)
  const passed = /^Passed: .*$/m.exec(`${stdout}\n${stderr}`)?.[0] ?? 'no result'
  console.log(`${status === 0 ? '✓' : '✗'} ${name}: ${passed}`)
  if (status === 0) continue
  failed++
  console.log(stdout, stderr)
}
rmSync(results, { recursive: true, force: true })
console.log(`MCP ${VERSION}, client: ${names.length - failed} of ${names.length} scenarios passed`)
process.exit(failed === 0 && names.length > 0 ? 0 : 1)
