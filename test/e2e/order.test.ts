import { setImmediate } from 'node:timers/promises'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createApp } from '../../src/app/create-app.ts'
import type { App } from '../../src/app/user-app.ts'
import type { Agent } from '../../src/domain/actor.ts'
import type { ToolInfo } from '../../src/domain/tool.ts'
import { agent } from '../support/engine-world.ts'

/** An agent that reads after a change never gets the earlier state. Tests pairs of calls of named tools. */

/** The start and end of each step, in order. */
let log: { readonly agent: string; readonly text: string; readonly is: 'begun' | 'ended' }[] = []

const tool = (name: string, effect: ToolInfo['effect']): ToolInfo => ({ name, description: '', effect })
/** A slow agent. */
const server = (name: string, tools: readonly ToolInfo[]): Agent =>
  agent(
    `mcp_agent_${name}`,
    async ({ text }) => {
      log.push({ agent: `mcp_agent_${name}`, text, is: 'begun' })
      for (let turn = 0; turn < 50; turn++) await setImmediate()
      log.push({ agent: `mcp_agent_${name}`, text, is: 'ended' })
      return { answer: `Done: ${text}` }
    },
    { keywords: [name], tools },
  )

interface Said {
  readonly text: string
  readonly of: string
  readonly changes: boolean
}
const said = (of: string, changes: boolean, texts: readonly string[]): Said[] =>
  texts.map((text) => ({ text, of, changes }))
const CLAUSES: readonly Said[] = [
  ...said('mcp_agent_files', true, ['call write_file path=w1.txt content="a and b"', 'call move_file source=a.txt']),
  ...said('mcp_agent_files', false, ['call read_text_file path=w1.txt', 'call list_directory path=ws']),
  ...said('mcp_agent_bank', true, ['call transfer_money amount=50 to=Anna']),
  ...said('mcp_agent_bank', false, ['call get_balance account=7']),
]

const JOINTS = [' and ', ', then ', '. Then ', '. ', '; ']

let app: App
beforeAll(async () => {
  app = await createApp({
    agents: [
      server('files', [
        tool('mcp:files/read_text_file', 'read'),
        tool('mcp:files/list_directory', 'read'),
        tool('mcp:files/write_file', 'irreversible'),
        tool('mcp:files/move_file', 'irreversible'),
      ]),
      server('bank', [tool('mcp:bank/get_balance', 'read'), tool('mcp:bank/transfer_money', 'irreversible')]),
    ],
    models: { providers: [] },
  })
})
afterAll(() => app.close())

/** The order of the two clauses `A` and `B`, with their agents and their ends. */
async function done(question: string, strategy: string, [one, other]: readonly [Said, Said]): Promise<string> {
  log = []
  await app.ask({ question, strategy, memory: false })
  const isOf = ({ text, agent: by }: (typeof log)[number], clause: Said): boolean =>
    by === clause.of && text.toLowerCase().includes(clause.text.toLowerCase())
  return log
    .map((entry) => (entry.is === 'ended' ? '.' : isOf(entry, one) ? 'A' : isOf(entry, other) ? 'B' : '?'))
    .join('')
}

const capital = (text: string): string => text[0]!.toUpperCase() + text.slice(1)
const clause = fc.constantFrom(...CLAUSES)
const pair = fc.tuple(clause, clause).filter(([one, other]) => one.text !== other.text)
const runs = { numRuns: Number(process.env['TUTTI_TEST_RUNS'] ?? 40) }
const STRATEGIES = ['graph', 'supervisor', 'pipeline']

it.each(STRATEGIES)('a read runs after the earlier change of the same agent: %s', async (strategy) => {
  await fc.assert(
    fc.asyncProperty(pair, fc.constantFrom(...JOINTS), async ([one, other], joint) => {
      const question = `${capital(one.text)}${joint}${joint === '. ' ? capital(other.text) : other.text}.`
      const isInTurn = strategy === 'pipeline' || (one.changes && one.of === other.of)
      const course = await done(question, strategy, [one, other])
      expect(isInTurn ? ['A.B.'] : ['AB..', 'A.B.'], question).toContain(course)
    }),
    runs,
  )
})
