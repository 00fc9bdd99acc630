import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { saidOn } from '../../../test/cli/terminal.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tutti-plan-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

const run = (question: string, ...options: string[]) =>
  saidOn({ folder, columns: 100, isTTY: false }, ['plan', question, ...options])

describe('tutti plan', () => {
  const question = 'Calculate 15 % of 230'

  it('shows the plan in stages, and stores nothing', async () => {
    const { out, err } = await run(question, '--strategy', 'graph')
    expect(out).toMatch(
      /^Strategy {2}graph\nWhy {7}Without a model, .+: computation\. \(confidence 0\.4\)\n\nStage 1\n/,
    )
    expect(err).toBe('')
    expect(await readdir(folder)).toEqual([])
  })

  it('prints the plan as JSON', async () => {
    const { out } = await run(question, '--json', '--strategy', 'graph')
    expect(JSON.parse(out)).toMatchObject({
      question,
      strategy: 'graph',
      tasks: [{ id: 'computation', agent: 'computation', dependsOn: [] }],
    })
  })

  it('uses preferences, and the planner of the named strategy', async () => {
    const options = ['--json', '--strategy', 'pipeline', '--prefer', 'computation']
    const preferred = JSON.parse((await run('What is new?', ...options)).out)
    expect(preferred).toMatchObject({
      strategy: 'pipeline',
      tasks: [{ agent: 'computation' }],
      guardrails: { preferred: ['computation'] },
    })
    expect(await run('x', '--prefer', 'nobody')).toMatchObject({ code: 2, err: expect.stringContaining('nobody') })
  })
})
