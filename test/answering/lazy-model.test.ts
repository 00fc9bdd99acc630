import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'libsql'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { App } from '../../src/app.ts'
import { openApp } from '../../src/setup/setup.ts'
import { ASKED } from '../e2e/support.ts'
import {
  giveAnswer,
  startModelServer,
  toolCall,
  type ModelRequest,
  type ModelServer,
  type Reply,
} from '../support/model-server.ts'
import { TEXTS } from './parts-world.ts'
import { testSeed } from '../support/seed.ts'
import { sample } from '../support/length.ts'

/**
 * Questions of two parts in every strategy, with a model that plans, finds, writes or words only one of them: the other is answered all
 * the same, or named. `TUTTI_TEST_SEED` makes other questions.
 */

interface Part {
  readonly ask: string
  readonly holds: RegExp
  /** What a model may say of it; the later ones have no word of the question. */
  readonly says: readonly string[]
  /** The column of a query for it; absent: it is in the documents. */
  readonly column?: string
  /** What the passage has. */
  readonly key?: string
}

const PARTS: readonly Part[] = [
  {
    ask: 'how many passengers are there',
    holds: /\b41\b/,
    says: ['There are 41 passengers', 'It is 41'],
    column: '(SELECT count(*) FROM passengers) AS passengers',
  },
  {
    ask: 'how many bookings were refunded',
    holds: /\b23\b/,
    says: ['23 bookings were refunded', 'The money went back for 23'],
    column: "(SELECT count(*) FROM bookings WHERE status = 'refunded') AS refunded_bookings",
  },
  {
    ask: 'how many crew members are there',
    holds: /\b17\b/,
    says: ['There are 17 crew members', '17 people fly'],
    column: '(SELECT count(*) FROM crew_members) AS crew_members',
  },
  {
    ask: 'by when must claims be handed in',
    holds: /31 March/,
    says: ['Claims must be handed in by 31 March of the following year', 'The last day is 31 March'],
    key: '31 March',
  },
  {
    ask: 'who chaired the board meeting',
    holds: /Marte Holm/,
    says: ['The board meeting was chaired by Marte Holm', 'It was Marte Holm'],
    key: 'Marte Holm',
  },
  {
    ask: 'how much memory does version 2 require',
    holds: /8 GB/,
    says: ['Version 2 requires 8 GB of memory', 'It takes 8 GB'],
    key: '8 GB',
  },
  {
    ask: 'how long does probation last',
    holds: /six months/,
    says: ['Probation lasts six months', 'That is six months'],
    key: 'lasts six months',
  },
]

const SQL = `
CREATE TABLE passengers (id INTEGER PRIMARY KEY, name TEXT NOT NULL);
CREATE TABLE bookings (id INTEGER PRIMARY KEY, passenger_id INTEGER NOT NULL REFERENCES passengers(id), status TEXT NOT NULL);
CREATE TABLE crew_members (id INTEGER PRIMARY KEY, name TEXT NOT NULL);
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 41) INSERT INTO passengers SELECT i, 'Passenger ' || i FROM n;
INSERT INTO crew_members SELECT id, 'Member ' || id FROM passengers WHERE id <= 17;
INSERT INTO bookings SELECT id, id, CASE WHEN id <= 23 THEN 'refunded' ELSE 'flown' END FROM passengers;
`

let folder: string
let server: ModelServer
let app: App

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tutti-lazy-'))
  await mkdir(join(folder, 'docs'))
  for (const [name, text] of Object.entries(TEXTS)) await writeFile(join(folder, 'docs', name), text)
  const database = new Database(join(folder, 'air.sqlite'))
  database.exec(SQL)
  database.close()
  server = await startModelServer()
  app = await openApp({
    env: { TUTTI_MODEL_URL: server.url, TUTTI_MODEL: 'compatible:scripted' },
    cwd: folder,
    inMemory: true,
    databases: [{ url: `sqlite:${join(folder, 'air.sqlite')}` }],
    documents: [join(folder, 'docs')],
    onTrouble: (error) => expect.fail(error.message),
  })
}, 120_000)
afterAll(async () => {
  await app.close()
  await server.close()
  await rm(folder, { recursive: true, force: true })
})

/** Whoever leaves out a part: all who say something, or who plans. */
const LIES = ['none', 'finds', 'words', 'plans', 'plans the whole'] as const
type Lie = (typeof LIES)[number]

interface Case {
  readonly question: string
  readonly parts: readonly [Part, Part]
  readonly lie: Lie
  readonly left: Part
  readonly strategy: string
  /** Which of its wordings a part is told in. */
  readonly wording: (part: Part) => string
}

/** What a model says that is asked with this text. */
function script({ question, parts, lie, left, wording }: Case): void {
  const kept = (isLie: boolean): readonly Part[] => (isLie ? parts.filter((part) => part !== left) : parts)
  const agentOf = ({ column }: Part): string => (column === undefined ? 'rag' : 'sql')
  const isPlan = lie === 'plans' || lie === 'plans the whole'
  const planned = kept(isPlan)
  const agents = [...new Set(planned.map(agentOf))]
  const tasks = agents.map((agent) => ({
    agent,
    text:
      lie === 'plans the whole' || agents.length === 1
        ? lie === 'plans'
          ? planned[0]!.ask
          : question
        : planned.find((part) => agentOf(part) === agent)!.ask,
  }))
  const asked = (text: string): readonly Part[] =>
    kept(lie === 'finds').filter(({ ask }) => text.toLowerCase().includes(ask))
  const plan = {
    intent: '',
    entities: { date_range: null, doc_type: null, metric: null, names: [], emails: [], others: [] },
    tasks: tasks.map(({ agent, text }) => ({ id: agent, agent, text, tools: null, dependsOn: [] })),
    rationale: 'r',
    confidence: 0.9,
    standalone: '',
  }
  const steps = tasks.map(({ agent, text }) => ({ id: agent, agent, task: text, depends_on: [] }))
  const said = ({ text }: ModelRequest): string =>
    kept(lie === 'words')
      .filter(({ holds }) => holds.test(findingsIn(text)))
      .map((part) => `${wording(part)}.`)
      .join(' ') || 'Nothing was found.'
  const answerOf = ({ text }: ModelRequest): Reply => {
    const found = asked(text).filter(({ key }) => key !== undefined && text.includes(key))
    return {
      text:
        found.map((part) => `${wording(part)} [${markOf(text, part.key!)}].`).join(' ') || 'The passages do not say.',
    }
  }
  const queryOf = ({ text, messages }: ModelRequest): Reply => {
    if (messages.at(-1)?.role === 'tool') return { text: 'Done.' }
    const columns = asked(text).flatMap(({ column }) => column ?? [])
    const sql = columns.length === 0 ? 'SELECT 1' : `SELECT ${columns.join(', ')}`
    return toolCall('query', { sql })
  }
  const isDone = (text: string): boolean => /status[^\n]{0,6}succeeded/.test(text)
  server.script([
    { when: ASKED.plan, reply: { json: plan } },
    { when: ASKED.planner, reply: { json: { agents, rationale: 'r', confidence: 0.9, standalone: '' } } },
    {
      when: 'You are the supervisor',
      reply: ({ text }) => ({
        json: {
          thought_process: 't',
          plan: steps,
          selected_agents: isDone(text) ? [] : tasks.map(({ agent }) => ({ agent, task: agent })),
        },
      }),
    },
    {
      when: 'You are the planner.',
      reply: {
        json: { research_steps: tasks.map(({ agent, text }) => ({ agent, step: text })), expert_steps: ['Tell it'] },
      },
    },
    { when: 'You are a critic.', reply: { json: { decision: 'approve', feedback: '' } } },
    {
      when: 'You are the expert.',
      reply: (request) => giveAnswer(said(request), 'r'),
    },
    { when: ASKED.rag, reply: answerOf },
    { when: ASKED.sql, reply: queryOf },
    { when: ASKED.compose, reply: (request) => ({ text: said(request) }) },
  ])
}

/** Without the time of asking, whose figures are none that were found. */
const findingsIn = (text: string): string =>
  text
    .slice(text.indexOf('Plan:') < 0 ? 0 : text.indexOf('Plan:'))
    .replaceAll(/\d{4}-\d\d-\d\d(T[\d:.]+Z|\s\d\d)?/g, '')
/** The number of the passage that has these words. */
const markOf = (text: string, key: string): string =>
  /.*\[(s\d+)\]/s.exec(text.slice(0, text.indexOf(key)))?.[1] ?? 's1'

/** A generator of numbers from a seed, for the same questions each time. */
function numbers(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

const STRATEGIES = ['auto', 'pipeline', 'graph', 'supervisor', 'review']
const JOINERS = [', and ', ' and ']
const SEED = testSeed(20_261_126)

function cases(seed: number, rounds: number): Case[] {
  const next = numbers(seed)
  return Array.from({ length: rounds }, () => STRATEGIES.flatMap((strategy) => LIES.map((lie) => ({ strategy, lie }))))
    .flat()
    .map(({ strategy, lie }) => {
      const rest = [...PARTS]
      const parts = [rest.splice(next(rest.length), 1)[0]!, rest.splice(next(rest.length), 1)[0]!] as const
      const text = parts[0].ask + JOINERS[next(JOINERS.length)]! + parts[1].ask
      const wordings = new Map(parts.map((part) => [part, part.says[next(part.says.length)]!]))
      return {
        strategy,
        lie,
        parts,
        left: parts[next(2)]!,
        question: `${text.charAt(0).toUpperCase()}${text.slice(1)}?`,
        wording: (part) => wordings.get(part)!,
      }
    })
}

const plain = (text: string): string => text.toLowerCase().replace(/[\s.,;?!]+$/, '')
const named = (one: Case) => `${one.strategy}, leaves out in what it ${one.lie}: ${one.left.ask} | ${one.question}`

it.each(sample(cases(SEED, 4), 3).map((one) => [named(one), one] as const))(
  '%s',
  async (_name, one) => {
    script(one)
    const { answer = '', metadata } = await app.ask({
      question: one.question,
      strategy: one.strategy,
      interactive: false,
    })
    const open = metadata.unanswered.map(plain)
    const told = answer.replaceAll(/“[^”]*”/g, '')
    const isNamed = (part: string): boolean =>
      open.some((text) => text.includes(part)) && (!metadata.isAnswered || answer.toLowerCase().includes(`“${part}`))
    const toldTwiceOrNever = one.parts
      .filter(({ ask, holds }) => holds.test(told) === isNamed(ask))
      .map(({ ask }) => ask)
    expect(toldTwiceOrNever, `open: ${open.join(', ')}; ${answer}`).toEqual([])
    expect(one.lie === 'none' ? open : [], answer).toEqual([])
  },
  60_000,
)
