/** Tutti with MCP servers, in its own folder. */
import { mkdtemp, realpath, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { App } from '../../src/app/user-app.ts'
import type { RequestInput } from '../../src/domain/request.ts'
import type { RunResponse } from '../../src/domain/response.ts'
import { openConfiguredApp, type OpenAppOptions } from '../../src/app/setup.ts'
import { pendingApproval } from '../e2e/support.ts'

const require = createRequire(import.meta.url)

/** The program of one of the official servers. */
export function official(name: 'everything' | 'filesystem' | 'memory'): string {
  return join(dirname(require.resolve(`@modelcontextprotocol/server-${name}/package.json`)), 'dist', 'index.js')
}

export interface McpWorld {
  readonly folder: string
  /** Reported problems. */
  readonly trouble: string[]
  /** Writes a file with servers, and gives its path. */
  servers(mcpServers: Readonly<Record<string, object>>, name?: string): Promise<string>
  open(options?: Partial<OpenAppOptions>): Promise<App>
  close(): Promise<void>
}

export async function createMcpWorld(): Promise<McpWorld> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'tutti-mcp-')))
  const opened: App[] = []
  const trouble: string[] = []
  return {
    folder,
    trouble,
    async servers(mcpServers, name = 'mcp.json') {
      await writeFile(join(folder, name), JSON.stringify({ mcpServers }))
      return join(folder, name)
    },
    async open(options = {}) {
      const onError = ({ message }: { readonly message: string }): void => void trouble.push(message)
      const app = await openConfiguredApp({
        cwd: folder,
        dataDir: join(folder, 'data'),
        env: {},
        onError,
        ...options,
      })
      opened.push(app)
      return app
    },
    async close() {
      await Promise.all(opened.map((app) => app.close()))
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** A server of raw JSON lines. `answer` returns the reply to each request, valid or not. */
export function rawServer(answer: string, before = ''): { readonly command: string; readonly args: readonly string[] } {
  const program = `
    const initialize = (params) => ({ protocolVersion: params.protocolVersion, capabilities: { tools: { listChanged: true } }, serverInfo: { name: 'raw', version: '1' } })
    const write = (text) => process.stdout.write(text)
    const send = (message) => write(JSON.stringify({ jsonrpc: '2.0', ...message }) + '\\n')
    const text = (value) => ({ content: [{ type: 'text', text: value }] })
    const tool = (name, more = {}) => ({ name, description: 'Does ' + name, inputSchema: { type: 'object', properties: {} }, ...more })
    ${before}
    const answer = ${answer}
    require('node:readline').createInterface({ input: process.stdin }).on('line', async (line) => {
      const { id, method, params } = JSON.parse(line)
      if (id === undefined || method === undefined) return
      const result = method === 'initialize' ? initialize(params) : await answer(method, params, id)
      if (result !== undefined) send({ id, result })
    })`
  return { command: process.execPath, args: ['-e', program] }
}

/** Asks, and decides the pending approval. */
export async function askAndDecide(
  app: App,
  asked: RequestInput | string,
  choice: 'approved' | 'denied',
  instructions?: string,
) {
  const runId = await app.start(asked)
  const approval = await pendingApproval(app, runId)
  await app.runs.decide(approval.approvalId, choice, 'ada', instructions)
  await app.runs.outcome(runId)
  return { payload: approval.payload, reason: approval.reason, response: await app.response(runId) }
}

/** The calls of an agent. */
export function callsOf({ agentResults }: RunResponse): unknown {
  return agentResults.flatMap(({ data }) => (data as { calls?: unknown } | undefined)?.calls ?? [])
}
