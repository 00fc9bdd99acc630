import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { DEVIATING_INVOICES } from '../../scripts/demo/freight.ts'
import { TEAM_GIVEN } from '../../src/agents/teams/architect.ts'
import { architectRequest } from '../../src/agents/teams/architect-request.ts'
import { createApp } from '../../src/app/create-app.ts'
import { createDemoFreight, DEMO_FREIGHT_NAME } from '../../src/app/demo-data.ts'
import { saidOn } from '../cli/terminal.ts'
import { decideNext } from '../e2e/support.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tutti-teams-page-'))
  await createDemoFreight(folder)
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const NAME = 'freight_check'

it('docs/teams.md: the team of the page passes its checks, and answers', async () => {
  const page = await readFile(join(import.meta.dirname, '../../docs/teams.md'), 'utf8')
  const team: unknown = JSON.parse(/^```json\n([\s\S]*?)\n```$/m.exec(page)![1]!)
  const databases = [{ url: `sqlite:${join(folder, DEMO_FREIGHT_NAME)}` }]
  const app = await createApp({ storage: { folder: join(folder, 'data') }, databases, cwd: folder })
  const names = app.agents.map(({ name }) => name)
  const runId = await app.start(architectRequest('Take the team', names, { [TEAM_GIVEN]: team }))
  await decideNext(app, runId)
  await app.runs.outcome(runId)
  const { answer } = await app.ask({ question: 'Run the freight check' })
  expect([...new Set(answer.match(/FI-\d+/g))].toSorted()).toEqual(DEVIATING_INVOICES)
  await app.close()
})

it('tutti teams share shares the version in use, and stops', async () => {
  const share = (...args: string[]) => saidOn({ folder, columns: 100, isTTY: false }, ['teams', 'share', ...args])
  expect(await share(NAME)).toMatchObject({
    code: 0,
    out: expect.stringMatching(/^All users can now use freight_check in this version\. /) as string,
  })
  expect(await share(NAME, '--off')).toMatchObject({ code: 0, out: 'freight_check is no longer shared.\n' })
  expect(await share('nobody')).toMatchObject({
    code: 2,
    err: expect.stringContaining('Unknown team "nobody". Available: freight_check.') as string,
  })
})
