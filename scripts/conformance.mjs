// Holds Tutti's MCP client against the client suite of @modelcontextprotocol/conformance for MCP 2025-11-25:
//
//   npm run conformance
//   npm run conformance -- --scenario auth/basic-cimd    options of the suite in place of all of it
//
// The suite needs Node 22 or newer; the client runs on the same.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

if (Number(process.versions.node.split('.')[0]) < 22) {
  console.error(`The conformance suite needs Node 22 or newer; this is ${process.version}.`)
  process.exit(1)
}
const root = join(import.meta.dirname, '..')
const results = mkdtempSync(join(tmpdir(), 'tutti-conformance-'))
const suite = join(root, 'node_modules', '@modelcontextprotocol', 'conformance', 'dist', 'index.js')
const client = `${process.execPath} --import tsx ${join(root, 'scripts', 'conformance-client.ts')}`
const given = process.argv.slice(2)
const which = given.length > 0 ? given : ['--suite', 'all', '--spec-version', '2025-11-25']
const { status } = spawnSync(
  process.execPath,
  [suite, 'client', '--command', client, '-o', results, '--timeout', '120000', ...which],
  {
    cwd: root,
    stdio: 'inherit',
  },
)
rmSync(results, { recursive: true, force: true })
process.exit(status ?? 1)
