import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, it, vi } from 'vitest'

const folder = mkdtempSync(join(tmpdir(), 'tutti-windows-'))
const platform = Object.getOwnPropertyDescriptor(process, 'platform')!

afterEach(() => {
  Object.defineProperty(process, 'platform', platform)
  vi.unstubAllEnvs()
  vi.resetModules()
  rmSync(folder, { recursive: true })
})

it('on Windows npx is started through the shell, with quoted arguments', async () => {
  const server = `
    const { createInterface } = require('node:readline')
    createInterface({ input: process.stdin }).on('line', (line) => {
      const { id, method, params } = JSON.parse(line)
      if (id === undefined) return
      const about = { protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 's', version: '1' } }
      const tools = [{ name: 'look', inputSchema: { type: 'object' } }]
      console.log(JSON.stringify({ jsonrpc: '2.0', id, result: method === 'initialize' ? about : { tools } }))
    })`
  writeFileSync(join(folder, 'server.cjs'), server)
  const shell = join(folder, 'cmd.exe')
  const runs = `exec '${process.execPath}' '${folder}/server.cjs'`
  writeFileSync(shell, `#!/bin/sh\nprintf '%s\\n' "$@" > '${folder}/arguments'\n${runs}\n`)
  chmodSync(shell, 0o755)
  vi.stubEnv('comspec', shell)
  Object.defineProperty(process, 'platform', { ...platform, value: 'win32' })
  vi.resetModules()
  const { connectMcp } = await import('./client.ts')
  const args = ['-y', '@modelcontextprotocol/server-filesystem', 'C:\\Our files']
  const connection = await connectMcp({ transport: 'stdio', name: 'files', command: 'npx', args })
  try {
    expect((await connection.listTools()).tools.map(({ name }) => name)).toEqual(['look'])
  } finally {
    await connection.close()
  }
  const [slashD, slashS, slashC, line] = readFileSync(join(folder, 'arguments'), 'utf8').split('\n')
  expect([slashD, slashS, slashC]).toEqual(['/d', '/s', '/c'])
  expect(line).toMatch(/^"npx .*server-filesystem.*C:\\Our\^? files/)
})
