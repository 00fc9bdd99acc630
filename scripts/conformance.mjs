// Holds Tutti's MCP client and its MCP server against the suites of @modelcontextprotocol/conformance for MCP 2025-11-25:
//
//   npm run conformance                       both
//   npm run conformance -- auth/basic-cimd    some of the client's scenarios
//   npm run conformance -- server             the server's alone
//
// What is tested runs on this Node. The suite itself needs Node 22 or newer: on an older one it is given one, which npm brings
// into a temporary folder. Of the server's scenarios, those run that need no tools of the suite's own.
// One scenario after the other, since one of them measures time.
import { spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

const VERSION = '2025-11-25'

const NODE_OF_SUITE = '22.23.3'

const root = join(import.meta.dirname, '..')
const results = mkdtempSync(join(tmpdir(), 'tutti-conformance-'))
process.on('exit', () => rmSync(results, { recursive: true, force: true }))
const nodeOfSuite = Number(process.versions.node.split('.')[0]) < 22 ? bringNode() : process.execPath
const found = createRequire(import.meta.url).resolve('@modelcontextprotocol/conformance/package.json')
const suite = join(dirname(found), 'dist', 'index.js')
const client = `${process.execPath} --import tsx ${join(root, 'scripts', 'conformance-client.ts')}`

/** A program of Node that the suite runs on. */
function bringNode() {
  const name = `node-${process.platform}-${process.arch}`
  const into = ['--prefix', results, '--no-save', '--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline']
  const { status } = spawnSync('npm', ['install', ...into, '--silent', `${name}@${NODE_OF_SUITE}`])
  const program = join(results, 'node_modules', name, 'bin', 'node')
  if (status === 0 && existsSync(program)) return program
  console.error(
    `The conformance suite needs Node 22 or newer; this is ${process.version}, and npm has no ${name}@${NODE_OF_SUITE} for it here. Run this with Node 22 or newer.`,
  )
  process.exit(1)
}

function run(...args) {
  return spawnSync(nodeOfSuite, [suite, ...args], { cwd: root, encoding: 'utf8', timeout: 180_000 })
}

function clientScenarios() {
  const lines = run('list', '--client').stdout.split('\n')
  return lines.flatMap((line) => {
    const [, name, versions = ''] = /^\s+- (\S+) \[(.+)\]$/.exec(line) ?? []
    return versions.split(',').includes(VERSION) ? [name] : []
  })
}

const count = { passed: 0, all: 0 }
function check(title, ...args) {
  const { status, stdout, stderr } = run(...args, '-o', results)
  const passed = /^Passed: .*$/m.exec(`${stdout}\n${stderr}`)?.[0] ?? 'no result'
  count.all++
  console.log(`${status === 0 ? '✓' : '✗'} ${title}: ${passed}`)
  if (status === 0) count.passed++
  else console.log(stdout, stderr)
}

/** What of the server suite asks for no tool, resource or prompt of its own. */
const GENERIC = ['server-initialize', 'ping', 'tools-list', 'dns-rebinding-protection']

async function checkServer() {
  const script = join(root, 'scripts', 'conformance-server.ts')
  const stdio = ['pipe', 'pipe', 'inherit']
  const server = spawn(process.execPath, ['--import', 'tsx', script], { cwd: root, stdio })
  const line = await new Promise((resolve, reject) => {
    server.stdout.once('data', resolve)
    server.once('exit', (code) => reject(new Error(`The server ended with ${code}.`)))
  })
  for (const name of GENERIC) check(name, 'server', '--url', String(line).trim(), '--scenario', name)
  server.stdin.end()
}

const given = process.argv.slice(2)
if (given[0] !== 'server') {
  // Elicitation is optional; Tutti's client does not offer it.
  const all = clientScenarios().filter((name) => !name.startsWith('elicitation'))
  for (const name of given.length > 0 ? given : all) {
    check(name, 'client', '--command', client, '--scenario', name, '--timeout', '120000')
  }
}
if (given.length === 0 || given[0] === 'server') await checkServer()
console.log(`MCP ${VERSION}: ${count.passed} of ${count.all} scenarios passed`)
process.exit(count.passed === count.all && count.all > 0 ? 0 : 1)
