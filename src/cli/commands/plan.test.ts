import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { masterPlannerRole } from '../../agents/roles/graph/master-planner.ts'
import { plannerRole } from '../../agents/roles/pipeline/planner.ts'
import { systemClock } from '../../core/clock.ts'
import { parseRequest } from '../../core/request.ts'
import { planQuestion } from '../../engine/run/plan-question.ts'
import { createMemoryStorage } from '../../storage/index.ts'
import { graph } from '../../strategies/graph/graph.ts'
import { pipeline } from '../../strategies/pipeline/pipeline.ts'
import { planOnly } from '../../strategies/plan-only.ts'
import type { Cli } from '../cli.ts'
import { createOutput } from '../output.ts'
import { showPlan, type PlanOf, type PlanOptions } from './plan.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tutti-plan-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

const planOf: PlanOf = async (app, request) => {
  const storage = await createMemoryStorage({ clock: systemClock, onError: (error) => expect.fail(error.message) })
  const { agents, models } = app
  try {
    const known = new Set(agents.map(({ name }) => name))
    const roles = [plannerRole, masterPlannerRole]
    const parts = { store: storage.store, models, strategies: [pipeline, graph].map(planOnly), roles, agents }
    return await planQuestion(parts, parseRequest(request, known))
  } finally {
    await storage.close()
  }
}

async function run(question: string, options: Partial<PlanOptions> = {}) {
  const said = { out: '', err: '' }
  const output = (which: 'out' | 'err') => createOutput({ write: (text) => ((said[which] += text), true) }, {})
  const cli: Cli = {
    out: output('out'),
    err: output('err'),
    stdin: new PassThrough() as unknown as NodeJS.ReadStream,
    self: 'tutti',
    env: { HOME: folder },
    cwd: folder,
    globals: { data: join(folder, 'data') },
    clock: systemClock,
    onInterrupt: () => () => undefined,
    untilStopped: () => Promise.resolve('SIGINT'),
    kill: () => expect.fail('killed'),
  }
  await showPlan(cli, planOf, [question], { data: true, ...options })
  return said
}

describe('tutti plan', () => {
  const question = 'Calculate 15 % of 230'

  it('shows the plan as stages and as Mermaid, and leaves nothing behind', async () => {
    const { out, err } = await run(question, { strategy: 'graph' })
    expect(out).toMatch(
      /^Intent {4}work it out\nStrategy {2}graph\nWhy {7}Planned by rules: computation\. \(confidence 0\.4\)\n\nStage 1\n/,
    )
    expect(out).toContain('\nflowchart LR\n')
    expect(err).toBe('')
    expect(await readdir(folder)).toEqual([])
  })

  it('prints the graph alone, or everything as JSON', async () => {
    expect((await run(question, { mermaid: true, strategy: 'graph' })).out).toMatch(/^flowchart LR\n/)
    const { out } = await run(question, { json: true, strategy: 'graph' })
    expect(JSON.parse(out)).toMatchObject({
      question,
      strategy: 'graph',
      tasks: [{ id: 'computation', agent: 'computation', dependsOn: [] }],
      mermaid: expect.stringContaining('flowchart LR'),
    })
  })

  it('takes preferences, and the planner of the named strategy', async () => {
    const preferred = JSON.parse((await run('Hello', { json: true, prefer: ['computation'] })).out)
    expect(preferred).toMatchObject({ tasks: [{ agent: 'computation' }], guardrails: { preferred: ['computation'] } })
    const pipeline = JSON.parse((await run(question, { json: true, strategy: 'pipeline' })).out)
    expect(pipeline).toMatchObject({ strategy: 'pipeline', rationale: expect.stringContaining('keywords') })
    await expect(run('x', { prefer: ['nobody'] })).rejects.toMatchObject({ code: 'UnknownAgent' })
  })
})
