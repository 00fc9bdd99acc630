import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { startModelServer } from '../support/model-server.ts'
import { createCliWorld, modelEnv } from './support.ts'
import { openForAll, openForEach } from '../support/opened.ts'

const world = openForAll(() => createCliWorld())
const models = openForEach(() => startModelServer())

const SHOP = ['--db', 'sqlite:shop.sqlite']
const env = () => modelEnv(models)

interface ShownRun {
  readonly run: { runId: string; status: string; forkOf?: { key: string } }
  readonly request: { question: string; context: Record<string, unknown> }
  readonly jobs: { key: string; status: string; attempt: number }[]
  readonly approvals: { approvalId: string; tool: string; payload: unknown }[]
  readonly response: { answer: string; metadata: { status: string; usage: { calls: number } } }
}

/** Writes an agent in code, and a configuration file `NAME.yaml` with which it is there. */
async function writeAgent(name: string, code: string): Promise<void> {
  await mkdir(join(world.folder, name, 'agent'), { recursive: true })
  await writeFile(join(world.folder, name, 'agent', 'agent.mjs'), code)
  await writeFile(join(world.folder, `${name}.yaml`), `agentFolders: [${name}]\n`)
}

async function latest(): Promise<ShownRun> {
  return world.json(['runs', 'show', await world.newestRun()])
}

describe('Ctrl-C', () => {
  it('cancels the run once, and logs the cancellation', async () => {
    models.script([{ reply: { fault: 'stall' } }])
    const running = world.begin(['ask', 'How many customers are there?', ...SHOP], { env: env() })
    await models.arrived(1)
    running.interrupt()
    const { code, out, err } = await running.done
    expect(code).toBe(4)
    expect(out).toBe('')
    expect(err).toContain('The run was cancelled.')
    expect((await latest()).run.status).toBe('cancelled')
  })

  it('kills at the second time', async () => {
    // An agent that ignores its abort signal: the process is busy when the second Ctrl-C arrives.
    const agent = `{ name: 'deaf', description: 'never ends', capabilities: [], useCases: [], keywords: ['deaf'], planning: { rank: 1 },
      async run(task, ctx) {
        ctx.signal.addEventListener('abort', () => { console.error('STILL BUSY'); while (!existsSync('go')); })
        console.error('WORKING')
        await new Promise((resolve) => setTimeout(resolve, 60_000))
      } }`
    await writeAgent('deaf', `import { existsSync } from 'node:fs'\nexport default ${agent}`)
    const running = world.start(['ask', 'deaf', '--config', 'deaf.yaml', ...SHOP])
    await running.said('WORKING')
    running.child.kill('SIGINT')
    await running.said('STILL BUSY')
    running.child.kill('SIGINT')
    await writeFile(join(world.folder, 'go'), '')
    expect((await running.done).code).toBe(130)
  })
})

describe('a run that was killed', () => {
  it('is resumed and answered; logged model replies are not requested again', async () => {
    models.script([
      { when: 'sql', times: 1, reply: { json: { agents: ['sql'], rationale: 'data', confidence: 0.9 } } },
      { reply: { fault: 'stall' } },
    ])
    // Another agent that could work: the planner asks the model.
    const args = ['ask', 'How many customers are there?', ...SHOP, '--prefer', 'computation', '--strategy', 'pipeline']
    const running = world.start(args, { env: env() })
    await running.said('planner chose sql')
    await models.arrived(2)
    await running.kill()
    const { run } = await latest()
    expect(run.status).toBe('running')

    const resumed = await world.run(['runs', 'resume', run.runId.slice(0, 8), ...SHOP, '--json'])
    expect(resumed.code).toBe(0)
    expect(JSON.parse(resumed.out)).toMatchObject({
      data: { rows: [{ number_of_customers: 3 }] },
      planner: { rationale: 'data' },
      metadata: { runId: run.runId, status: 'finished' },
    })
    const again = await world.run(['runs', 'resume', run.runId, '--json'])
    expect(again.code).toBe(0)
    expect(again.err).toContain('already finished')
    expect(JSON.parse(again.out)).toMatchObject({ data: { rows: [{ number_of_customers: 3 }] } })
  })
})

describe('tutti runs cancel', () => {
  it('stops a run of another command, which is not resumed while that runs', async () => {
    models.script([{ reply: { fault: 'stall' } }])
    const running = world.begin(['ask', 'How many customers are there?', ...SHOP], { env: env() })
    await models.arrived(1)
    const { run } = await latest()
    const resumed = await world.run(['runs', 'resume', run.runId, ...SHOP])
    expect(resumed).toMatchObject({
      code: 1,
      err: expect.stringContaining('in the hands of another process') as string,
    })
    const cancelled = await world.run(['runs', 'cancel', run.runId.slice(0, 6)])
    expect(cancelled.code).toBe(0)
    expect(cancelled.err).toContain('is cancelled')
    expect((await running.done).code).toBe(4)
  })
})

describe('a finished run', () => {
  let runId: string
  beforeAll(async () => {
    const { metadata } = await world.json(['ask', 'How many customers are there?', ...SHOP])
    runId = metadata.runId
  })

  it('is listed and shown as text', async () => {
    const list = await world.run(['runs', 'list'])
    expect(list.out).toMatch(new RegExp(`^${runId.slice(0, 8)} +finished +just now +How many customers`, 'm'))
    const { out, err } = await world.run(['runs', 'show', runId.slice(0, 5), '--trace'])
    expect(out).toMatch(/^sql +sql +succeeded/m)
    expect(out).toContain('Question  How many customers are there?')
    expect(err).toMatch(/DECISION master-planner/)
  })

  it('cannot be cancelled', async () => {
    const { code, err } = await world.run(['runs', 'cancel', runId])
    expect(code).toBe(1)
    expect(err).toMatch(/is already finished/)
  })

  it('has no pending approval', async () => {
    const { code, err } = await world.run(['approvals', 'approve', runId])
    expect(code).toBe(2)
    expect(err).toContain('waits for no approval')
  })

  it('is forked to ask another question from the plan on; the fork stores its origin', async () => {
    const args = ['runs', 'fork', runId.slice(0, 8), '--from', 'sql', '--question', 'How many orders are there?']
    const { code, out } = await world.run([...args, ...SHOP, '--json'])
    expect(code).toBe(0)
    expect(JSON.parse(out)).toMatchObject({ data: { rows: [{ number_of_orders: 3 }] } })
    const fork = await latest()
    expect(fork.run.forkOf).toEqual({ runId, key: 'sql' })
    expect(fork.request.question).toBe('How many orders are there?')
  })
})

describe('tutti runs list', () => {
  it('reports in one line that there are no runs yet', async () => {
    const { code, out, err } = await world.run(['runs', 'list', '--data', join(world.folder, 'fresh')])
    expect(code).toBe(0)
    expect(out).toBe('')
    expect(err).toContain('no runs yet')
  })
})

describe('an approval without a terminal', () => {
  beforeAll(async () => {
    const core = pathToFileURL(join(import.meta.dirname, '..', '..', 'node_modules', 'zod', 'index.js')).href
    /** An agent that sends mail after approval. */
    const mailer = (work: string) => `import { z } from ${JSON.stringify(core)}
       const send = { name: 'mail_send', description: 'sends', effect: 'irreversible', input: z.looseObject({ to: z.string() }),
         run: async (input) => { console.error('SENT to ' + input.to); return { sent: true } } }
       export default { name: 'mailer', description: 'mail', capabilities: ['mail'], useCases: [], keywords: ['mail'], planning: { rank: 1 },
         tools: [send], limits: { retries: 0 }, async run(task, ctx) { ${work} } }`
    const one = mailer(`
      await ctx.call(send, { to: 'ada@example.org', key: ctx.request.context.mail_key })
      if (process.env.TUTTI_TEST_STUCK) {
        console.error('STUCK')
        await new Promise((resolve) => setTimeout(resolve, 600_000))
      }
      return { answer: 'The mail is on its way.' }`)
    const two = mailer(`
      await Promise.all(['ada@example.org', 'bob@example.org'].map((to) => ctx.call(send, { to })))
      return { answer: 'Both are on their way.' }`)
    await writeAgent('mailer', one)
    await writeAgent('pair', two)
  })

  const ASK = ['ask', 'send a mail', '--config', 'mailer.yaml', '--context', 'mail_key=sesame-open']

  it('shows the payload and how to decide, and continues when another process approves', async () => {
    const sent = vi.spyOn(console, 'error')
    onTestFinished(() => sent.mockRestore())
    const running = world.begin(ASK)
    const said = await running.said('Decide with:')
    expect(said).toContain('"to": "ada@example.org"')
    expect(said).not.toContain('sesame-open')
    const waiting = await latest()
    expect(waiting.run.status).toBe('waiting')
    expect(waiting.approvals).toMatchObject([{ tool: 'mail_send', payload: { to: 'ada@example.org', key: '***' } }])

    const approve = ['approvals', 'approve', waiting.run.runId.slice(0, 8), '--config', 'mailer.yaml']
    const approved = await world.start(approve).done
    expect(approved.code).toBe(0)
    expect(approved.err.match(/SENT to ada/g)).toHaveLength(1)
    expect(approved.out).toContain('The mail is on its way.')
    const { code, out } = await running.done
    expect(code).toBe(0)
    expect(out).toContain('The mail is on its way.')
    expect(sent).not.toHaveBeenCalled()
  })

  it('is decided on one after the other where several wait; the last decision brings the answer', async () => {
    const pair = ['--config', 'pair.yaml']
    const running = world.begin(['ask', 'send a mail', ...pair])
    await running.said(/Decide with:[^]*Decide with:/)
    const { approvals, run } = await latest()
    const [first, second] = approvals.map(({ approvalId }) => approvalId)
    const approved = await world.run(['approvals', 'approve', first!, ...pair])
    expect(approved).toMatchObject({ code: 0, out: expect.stringContaining(`approvals approve ${second}`) as string })
    expect(approved.err).toContain(`Run ${run.runId.slice(0, 8)} waits for 1 more decision:`)
    const last = await world.run(['approvals', 'approve', second!, ...pair])
    expect(last).toMatchObject({ code: 0, out: expect.stringContaining('Both are on their way.') as string })
    expect((await running.done).out).toContain('Both are on their way.')
  })

  it('goes on where the question was asked when the process that continued the run is killed', async () => {
    // The end of the approval's time would wake the run, too.
    const sent = vi.spyOn(console, 'error')
    onTestFinished(() => sent.mockRestore())
    const running = world.begin(ASK, { env: { HITL_TIMEOUT_SECONDS: '3600' } })
    const id = await running.approvalId()
    const env = { TUTTI_TEST_STUCK: '1' }
    const approving = world.start(['approvals', 'approve', id, '--config', 'mailer.yaml'], { env })
    await approving.said('STUCK')
    approving.child.kill('SIGKILL')
    const { code, out, err } = await running.done
    expect([code, out], err).toEqual([0, expect.stringContaining('The mail is on its way.')])
    expect(sent).not.toHaveBeenCalled()
  })
})
