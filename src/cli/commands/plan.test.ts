import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { systemClock } from '../../shared/clock.ts'
import type { Cli } from '../cli.ts'
import { createOutput } from '../output.ts'
import { showPlan, type PlanOptions } from './plan.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tutti-plan-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

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
  await showPlan(cli, (app, request) => app.plan(request), [question], { data: true, ...options })
  return said
}

describe('tutti plan', () => {
  const question = 'Calculate 15 % of 230'

  it('shows the plan as stages and as Mermaid, and stores nothing', async () => {
    const { out, err } = await run(question, { strategy: 'graph' })
    expect(out).toMatch(
      /^Strategy {2}graph\nWhy {7}Without a model, .+: computation\. \(confidence 0\.4\)\n\nStage 1\n/,
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

  it('uses preferences, and the planner of the named strategy', async () => {
    const options = { json: true, strategy: 'pipeline', prefer: ['computation'] } as const
    const preferred = JSON.parse((await run('What is new?', options)).out)
    expect(preferred).toMatchObject({
      strategy: 'pipeline',
      tasks: [{ agent: 'computation' }],
      guardrails: { preferred: ['computation'] },
    })
    await expect(run('x', { prefer: ['nobody'] })).rejects.toMatchObject({ code: 'UnknownAgent' })
  })
})
