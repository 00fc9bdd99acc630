import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { openConfiguredApp } from '../../src/app/setup.ts'
import { systemClock } from '../../src/shared/clock.ts'
import { createCliWorld } from './support.ts'
import { saidOn } from './terminal.ts'
import { typedOn } from './typed.ts'
import { openForAll } from '../support/opened.ts'

/** A question that an agent puts to the person, at the command line. */

const world = openForAll(() => createCliWorld())
beforeAll(async () => {
  await mkdir(join(world.folder, 'agents', 'letters'), { recursive: true })
  await writeFile(join(world.folder, 'agents', 'letters', 'agent.mjs'), LETTERS)
  await writeFile(join(world.folder, 'tutti.config.yaml'), '')
})

const LETTERS = `export default {
  name: 'letters', description: 'Writes letters', capabilities: [], useCases: [], keywords: ['letter'],
  run: async (task, ctx) => ({ answer: 'Dear ' + (await ctx.question('To whom?\\u001b[2J ' + task.text)) + ',' }),
}`

const ASK = ['ask', 'Write a letter', '--prefer', 'letters']

describe('without a terminal', () => {
  it('is shown with the command that answers it and continues the run', async () => {
    const running = world.begin(ASK)
    const id = await running.approvalId()
    const listed = await world.run(['approvals', 'list'])
    expect(listed.out).toMatch(/^A question to you\n/)
    expect(listed.out).toContain('To whom?')
    expect(listed.out).not.toContain('\u001B')
    expect(listed.out).toContain(`tutti approvals answer ${id} "your words"   or: tutti approvals deny ${id}`)

    const bare = await world.run(['approvals', 'approve', id])
    expect(bare).toMatchObject({ code: 2, out: '' })
    expect(bare.err).toContain('This is a question: answer it in words')
    expect((await world.run(['approvals', 'answer', id])).code).toBe(2)

    const answered = await world.run(['approvals', 'answer', id.split('.')[0]!, 'Ada', 'Byron'])
    expect([answered.code, answered.out]).toEqual([0, expect.stringContaining('Dear Ada Byron,')])
    const first = await running.done
    expect([first.code, first.out]).toEqual([0, expect.stringContaining('Dear Ada Byron,')])
    const late = await world.run(['approvals', 'answer', id, 'Eve'])
    expect(late).toMatchObject({ code: 2, out: '', err: expect.stringContaining('Too late') })
  })

  it('that is left unanswered, or cannot be asked, ends with a clear message', async () => {
    const running = world.begin(ASK)
    const denied = await world.run(['approvals', 'deny', await running.approvalId(), '--instructions', 'ask me later'])
    expect(denied.code).toBe(5)
    expect(denied.out).toMatch(/left "To whom\?.*" unanswered: ask me later/)
    expect(denied.out).not.toContain('Dear')
    await running.done
    const nobody = await world.run([...ASK, '--no-approvals'])
    expect([nobody.code, nobody.out]).toEqual([5, expect.stringContaining('Ask again where a person can answer.')])
  })
})

describe('whose plan is changed', () => {
  it('is no longer asked; the question of the new plan is', async () => {
    const running = world.begin(ASK)
    const id = await running.approvalId()
    const runId = id.split('.')[0]!
    const app = await openConfiguredApp({
      env: {},
      cwd: world.folder,
      dataDir: world.dataDir,
      onError: (error) => expect.fail(error.message),
    })
    const task = { id: 'letters', agent: 'letters', dependsOn: [], text: 'Write a poem' }
    await app.runs.replan(runId, { tasks: [task] }, 'user')
    expect(await running.said('Write a poem')).toContain('The question is no longer open')
    expect((await world.run(['approvals', 'answer', id, 'Eve'])).err).toContain('Too late')
    expect((await world.run(['approvals', 'answer', runId, 'Ada'])).out).toContain('Dear Ada,')
    expect(await running.done).toMatchObject({ code: 0, out: expect.stringContaining('Dear Ada,') })
    await app.close()
  })
})

describe('whose process was killed', () => {
  /** Runs a command an hour later, after the question has expired and before any process has noticed. */
  const anHourLater = (...args: string[]) => {
    const clock = { ...systemClock, now: () => systemClock.now() + 3_600_000 }
    return saidOn({ folder: world.folder, columns: 100, isTTY: false, clock }, args)
  }

  it('is no longer asked after its time limit', async () => {
    const running = world.start(ASK)
    const [runId] = (await running.approvalId()).split('.')
    await running.kill()
    const { out, err } = await anHourLater('runs', 'resume', runId!)
    expect(err).toContain('Nobody answered the question in time')
    expect(err).not.toContain('A question to you')
    expect(out).toMatch(/Nobody answered "To whom\?.*" in time/)
  })
})

describe('at a terminal', () => {
  const typed = (answer: string | (() => unknown)) => typedOn({ folder: world.folder }, ASK, [['Your answer', answer]])

  it('is a text prompt, and the input is the answer', async () => {
    const { out, err, drawn, left } = await typed('Ada Byron\r')
    expect(left).toEqual([])
    expect(err).toMatch(/A question to you\n[^]*To whom\?/)
    expect(err).not.toContain('\u001B[2J')
    expect(err).not.toContain('Approval needed')
    expect(drawn).not.toContain('Allow it?')
    expect(out).toContain('Dear Ada Byron,')
  })

  it('is left by Ctrl-C, which cancels the run', async () => {
    const { out, err } = await typed('\u0003')
    expect(out).not.toContain('Dear')
    expect(err).toMatch(/[Cc]ancelled/)
  })

  it('is removed from the screen when it is answered elsewhere', async () => {
    const data = ['--data', join(world.folder, 'data')]
    let answering: Promise<unknown> | undefined
    const { out, err } = await typed(() => {
      answering = (async () => {
        const { approvals } = await world.json(['approvals', 'list', ...data])
        return world.run(['approvals', 'answer', approvals.at(-1).approvalId, 'Grace', ...data])
      })()
    })
    expect(await answering).toMatchObject({ code: 0 })
    expect(err).toContain('This was answered elsewhere, or it has expired.')
    expect(out).toContain('Dear Grace,')
  })
})
