import { writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { beforeAll, expect, it, onTestFinished } from 'vitest'
import type { App } from '../../src/app/user-app.ts'
import type { ConfigInput } from '../../src/app/config/schema.ts'
import { createDemoDatabase } from '../../src/app/demo-data.ts'
import { openConfiguredApp } from '../../src/app/setup.ts'
import { NOTHING_TO_REMEMBER } from '../e2e/support.ts'
import { startModelServer, toolCall } from '../support/model-server.ts'
import { openForAll } from '../support/opened.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

/** Limits of the configuration, as applied to agents. */

const folder = temporaryFolder()
const server = openForAll(() => startModelServer())
beforeAll(() => createDemoDatabase(join(folder, 'demo.sqlite')))

async function open(config: ConfigInput, env: Record<string, string> = {}): Promise<App> {
  await writeFile(join(folder, 'tutti.config.json'), JSON.stringify(config))
  const onError = (error: Error): void => expect.fail(error.message)
  const { PATH } = process.env
  const app = await openConfiguredApp({ env: { PATH, ...env }, cwd: folder, inMemory: true, onError })
  onTestFinished(() => app.close())
  return app
}

it('Python of the agents computation and code has the time of the sandbox', async () => {
  const sandbox = { allowWeakIsolation: true, timeoutMs: 500 }
  const { ask } = await open({ sandbox, approvals: { allow: ['execute_code'] } })
  const question = `Run this:\n\`\`\`python\nwhile True: pass\n\`\`\``
  for (const [agent, other] of [
    ['computation', 'code'],
    ['code', 'computation'],
  ] as const) {
    const { agentResults } = await ask({ question, disableAgents: [other] })
    expect(agentResults[0]).toMatchObject({ agent, error: { type: 'SandboxViolation' } })
    expect(agentResults[0]!.error!.message).toContain('longer than 0.5 seconds')
  }
})

it('a request to an API has the time of http.timeoutMs', async () => {
  const silent = createServer(() => undefined)
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve))
  const baseUrl = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`
  await writeFile(join(folder, 'api.yaml'), 'endpoints: [{ method: GET, path: /orders }]\n')
  const { ask } = await open({ apis: [{ catalogue: 'api.yaml', baseUrl }], http: { timeoutMs: 300 } })
  const { agentResults } = await ask({ question: 'GET /orders' })
  silent.closeAllConnections()
  silent.close()
  expect(agentResults[0]!.error).toMatchObject({ type: 'HttpRequestError', details: { code: 'TIMEOUT' } })
})

it('the sql agent stops after sql.maxAttempts', async () => {
  const wrong = toolCall('query', { sql: 'SELECT nothing FROM nowhere' })
  const isSql = '## Databases'
  server.script([
    NOTHING_TO_REMEMBER,
    { when: isSql, times: 3, reply: wrong },
    { when: isSql, reply: { text: 'I cannot tell.' } },
  ])
  const { ask } = await open(
    { databases: [{ url: 'sqlite:demo.sqlite' }], sql: { maxAttempts: 2 } },
    { TUTTI_MODEL_URL: server.url, TUTTI_MODEL: 'compatible:scripted' },
  )
  const { agentResults } = await ask({ question: '@sql How many customers?', strategy: 'pipeline', memory: false })
  expect(agentResults[0]).toMatchObject({ agent: 'sql', status: 'failed', error: { type: 'QueryBlocked' } })
  expect(agentResults[0]!.data).toHaveProperty('attempts.length', 2)
})
