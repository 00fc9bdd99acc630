/**
 * The run that is killed: a planner and two agents that ask a model and read, one of which sends a mail after approval,
 * and a composer whose answer is streamed. Built in the same way by the process that dies and by the one that continues.
 */
import { appendFile, readFile } from 'node:fs/promises'
import { setTimeout } from 'node:timers/promises'
import { z } from 'zod'
import { reviewRoles } from '../../src/strategies/review/roles.ts'
import { clarifierRole, preprocessRole, supervisorRole } from '../../src/strategies/supervisor/roles.ts'
import { defineAgent, defineRole } from '../../src/domain/actor.ts'
import { systemClock } from '../../src/shared/clock.ts'
import type { RunId } from '../../src/domain/events.ts'
import type { Plan } from '../../src/domain/plan.ts'
import { definePrompt } from '../../src/domain/prompt.ts'
import { parseRequest, type RunRequest } from '../../src/domain/request.ts'
import { BY_USER } from '../../src/domain/provenance.ts'
import type { RunStore, Wakeups } from '../../src/domain/store.ts'
import { defineTool } from '../../src/domain/tool.ts'
import { Engine } from '../../src/engine/engine.ts'
import { createModels } from '../../src/models/registry.ts'
import { modelsConfigFromEnv } from '../../src/app/config/models.ts'
import { pipeline } from '../../src/strategies/pipeline/next.ts'
import { review } from '../../src/strategies/review/next.ts'
import { supervisor } from '../../src/strategies/supervisor/next.ts'
import type { ModelRequest, Rule } from '../support/model-server.ts'

export interface OfficeOptions {
  readonly store: RunStore
  readonly modelUrl: string
  /** Each sent mail adds a line to this file: its idempotency key. */
  readonly outbox: string
  readonly wakeups?: Wakeups
  /** Whether mails are sent without approval. */
  readonly isTrusting?: boolean
  /** Called right before and right after a mail is sent, before the engine knows the result. */
  readonly aroundMail?: (when: 'before mail' | 'after mail') => void | Promise<void>
  readonly leaseMs?: number
}

const text = (name: string) =>
  definePrompt({
    name,
    format: 'text',
    input: z.object({ question: z.string(), facts: z.string() }),
    output: z.string(),
    render: ({ question, facts }) => ({ instructions: `[${name}]`, user: `${question}\n${facts}` }),
  })

const choose = definePrompt({
  name: 'plan',
  input: z.object({ question: z.string() }),
  output: z.object({ agents: z.array(z.string()) }),
  render: ({ question }) => ({ instructions: '[plan]', user: question }),
})

/** Replies of the scripted models, one rule per prompt. */
export const MODEL_RULES: readonly Rule[] = [
  { when: '[plan]', reply: { json: { agents: ['reader', 'sender'] } } },
  { when: '[summary]', reply: { text: 'Stock is low.' } },
  { when: '[draft]', reply: { text: 'Dear supplier' } },
  { when: '[answer]', reply: { text: 'We wrote to the supplier, since stock is low.' } },
]

/** The nesting depth of the run of a prompt: each level adds a mark to the question. */
export const levelIn = (text: string): number => (/run [\w-]+((?: >)*)/.exec(text)?.[1]?.length ?? 0) / ' >'.length

/** Plans of runs within runs: the deepest one sends the mail. */
export const NESTED_RULES: readonly Rule[] = [
  {
    when: '[plan]',
    reply: ({ text }: ModelRequest) => ({ json: { agents: ['reader', levelIn(text) < 2 ? 'crew' : 'sender'] } }),
  },
]

export async function familyOf(store: RunStore, runId: RunId): Promise<RunId[]> {
  const family = [runId]
  for (const one of family) family.push(...(await store.runs({ parentId: one })).map((child) => child.runId))
  return family
}

export const PROMPTS = ['plan', 'summary', 'draft', 'answer'] as const

export const EXPECTED_ANSWER = 'We wrote to the supplier, since stock is low.'

/** The plan after the user's change: no mail, and the reader reads once more. */
export const WITHOUT_MAIL: Plan = {
  tasks: [
    { id: 'reader', agent: 'reader', dependsOn: [] },
    { id: 'again', agent: 'reader', dependsOn: ['reader'] },
  ],
}

export function officeRequest(question: string, strategy = 'pipeline'): RunRequest {
  return parseRequest({ question, strategy }, new Set())
}

/** An engine on the given store. */
export function openOffice({
  store,
  modelUrl,
  outbox,
  wakeups,
  isTrusting,
  aroundMail,
  leaseMs,
}: OfficeOptions): Engine {
  const env = { TUTTI_MODEL_URL: modelUrl, TUTTI_MODEL: 'compatible:scripted' }
  const stock = defineTool({
    name: 'stock',
    description: 'reads the stock',
    effect: 'read',
    input: z.string(),
    provenance: BY_USER,
    run: async (item: string) => ({ item, count: 3 }),
  })
  const mail = defineTool({
    name: 'mail',
    description: 'sends a mail',
    effect: 'irreversible',
    input: z.object({ text: z.string() }),
    async run(_input: { text: string }, { idempotencyKey }) {
      await aroundMail?.('before mail')
      await appendFile(outbox, `${idempotencyKey}\n`)
      await aroundMail?.('after mail')
      return 'sent'
    },
    async check(_input, idempotencyKey) {
      const sent = await readFile(outbox, 'utf8').catch(() => '')
      return sent.split('\n').includes(idempotencyKey) ? { state: 'done', output: 'sent' } : { state: 'not-done' }
    },
  })
  const about = { capabilities: [], useCases: [], keywords: [] }
  const reader = defineAgent({
    ...about,
    name: 'reader',
    description: 'reads',
    async run(task, ctx) {
      const facts = JSON.stringify(await ctx.call(stock, 'coffee'))
      const { value = 'no model' } = await ctx.ask(text('summary'), { question: task.text, facts })
      return { answer: value }
    },
  })
  const sender = defineAgent({
    ...about,
    name: 'sender',
    description: 'sends',
    async run(task, ctx) {
      const facts = task
        .inputs()
        .map((input) => input.result.answer)
        .join()
      const { value = 'no model' } = await ctx.ask(text('draft'), { question: task.text, facts })
      return { answer: await ctx.call(mail, { text: value }) }
    },
  })
  // Each level runs as a nested run; the deepest one sends the mail.
  const crew = defineAgent({
    ...about,
    name: 'crew',
    description: 'has others do it',
    async run(_task, ctx) {
      const child = await ctx.startRun(officeRequest(`${ctx.request.question} >`))
      return { answer: child.answer!.text }
    },
  })
  const planner = defineRole({
    name: 'planner',
    async run(ctx) {
      const { value = { agents: [] } } = await ctx.ask(choose, { question: ctx.request.question })
      const tasks = value.agents.map((agent) => ({ id: agent, agent, dependsOn: [] }))
      ctx.emit({ type: 'plan.set', plan: { tasks }, by: 'planner', rationale: 'asked the model', confidence: 1 })
      return {}
    },
  })
  const composer = defineRole({
    name: 'composer',
    async run(ctx) {
      const facts = [...ctx.state.jobs.values()].map((job) => job.result?.answer ?? '').join()
      const { question } = ctx.request
      const { value = 'no model', by } = await ctx.ask(text('answer'), { question, facts }, { streamAnswer: true })
      ctx.emit({ type: 'answer.composed', answer: value, by })
      return {}
    },
  })
  return new Engine({
    store,
    models: createModels(modelsConfigFromEnv(env), { clock: systemClock }),
    strategies: [pipeline, review, supervisor],
    roles: [planner, composer, ...reviewRoles, preprocessRole, supervisorRole, clarifierRole],
    agents: [reader, sender, crew],
    ...(wakeups === undefined ? {} : { wakeups }),
    ...(leaseMs === undefined ? {} : { leaseMs }),
    approvals: { allowsWithoutApproval: () => isTrusting === true },
  })
}

/** Approves all requests of a run and of its nested runs, until it is over. */
export async function approveAll(engine: Engine, store: RunStore, runId: string): Promise<void> {
  const over = engine.outcome(runId).then(() => true)
  do {
    for (const { approvalId, runId: of } of await store.approvals({ status: 'pending' })) {
      if (of.startsWith(runId)) await engine.decide(approvalId, 'approved', 'the test').catch(() => undefined)
    }
  } while ((await Promise.race([over, setTimeout(20)])) !== true)
}
