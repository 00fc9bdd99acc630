import { setImmediate } from 'node:timers/promises'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { apiAgent } from '../../src/agents/api/agent.ts'
import { loadCatalogue } from '../../src/agents/api/catalogue/load.ts'
import { API_TOOLS } from '../../src/agents/api/tools.ts'
import { mailAgent } from '../../src/agents/mail/agent.ts'
import { createApp, type App } from '../../src/app.ts'
import { defineAgent, type Agent } from '../../src/core/actor.ts'
import type { ToolInfo } from '../../src/core/tool.ts'
import { demoOpenApi } from '../../src/demo/api/openapi.ts'
import type { HttpClient } from '../../src/http/client.ts'

/**
 * What an agent finds after a change is never the state from before it: over pairs of clauses that read and write by tools
 * of servers, operations of an API and mail, in the strategies that plan by clauses, held against the order in which they are said.
 */

/** What was done, in its order: begun and ended. */
let log: { readonly agent: string; readonly text: string; readonly is: 'begun' | 'ended' }[] = []

/** The agent as the product declares it, under another name beside its own, which takes its time. */
function slow(declared: Agent, name: string, tools: readonly ToolInfo[]): Agent {
  const { description, capabilities, useCases, keywords, planning } = declared
  return defineAgent({
    name,
    description,
    capabilities,
    useCases,
    keywords,
    tools,
    ...(planning && { planning }),
    async run({ text }) {
      log.push({ agent: name, text, is: 'begun' })
      for (let turn = 0; turn < 50; turn++) await setImmediate()
      log.push({ agent: name, text, is: 'ended' })
      return { answer: `Done: ${text}` }
    },
  })
}

const tool = (name: string, effect: ToolInfo['effect']): ToolInfo => ({ name, description: '', effect })
const server = (name: string, tools: readonly ToolInfo[]): Agent => {
  const words = tools.flatMap((one) => one.name.split('/')[1]!.split(/[_-]/))
  const declared = { name, description: 'A server.', capabilities: [], useCases: [], keywords: [name, ...words] }
  return slow({ ...declared, run: async () => ({}) }, `mcp_agent_${name}`, tools)
}

interface Said {
  readonly text: string
  readonly of: string
  readonly changes: boolean
}
const said = (of: string, changes: boolean, texts: readonly string[]): Said[] =>
  texts.map((text) => ({ text, of, changes }))
const CLAUSES: readonly Said[] = [
  ...said('mcp_agent_files', true, [
    'write file path=w1.txt content=CHANGED',
    'call write_file path=w1.txt content="a and b"',
    'delete the file w2.txt',
    'please move file source=a.txt destination=b.txt',
  ]),
  ...said('mcp_agent_files', false, [
    'read the file w1.txt',
    'call read_text_file path=w1.txt',
    'list_directory path=ws',
    'show me the directory ws/',
  ]),
  ...said('mcp_agent_bank', true, ['transfer_money amount=50 to=Anna']),
  ...said('mcp_agent_bank', false, ['get_balance account=7', 'get the balance of account=7']),
  ...said('service', true, [
    'cancel order 915',
    'update order 915 of the api',
    'create a shipment for order 915 by the api',
    'open a ticket for order 915 by the api',
    'could you delete order 915 of the api',
    'get order 915 of the api cancelled',
  ]),
  ...said('service', false, ['show order 915', 'get order 916 of the api', 'look up shipment 3 of the api']),
  ...said('letters', true, ['send a mail to anna@acme.com saying "hi"', 'draft a mail to bob@acme.com saying "hello"']),
  ...said('letters', false, ['search my inbox for mails about invoices', 'find the mails that anna@acme.com sent']),
]

const THEN = [
  ' and then ',
  ', then ',
  '. Then ',
  ', afterwards ',
  '. After that, ',
  '; and after that ',
  ' and, once that is done, ',
  '. Once done, ',
  ' and, when it is done, ',
  '. Finally, ',
]
const AND = [' and ', ', and ', '. ', '; ', ', and also ']

/** Behind the second, which then comes before the first. */
const FIRST = [' first', ' beforehand', ' before that']
const LAST = [' afterwards', ' after that', ' once done']

let app: App
beforeAll(async () => {
  const http = { request: () => Promise.reject(new Error('not to be used')) } as unknown as HttpClient
  const catalogue = await loadCatalogue(JSON.stringify(demoOpenApi('http://shop.test')), 'shop')
  app = await createApp({
    agents: [
      slow(apiAgent({ apis: [{ catalogue }], http }), 'service', API_TOOLS),
      slow(mailAgent({ account: undefined }), 'letters', [
        tool('search_mails', 'read'),
        tool('draft_email', 'write'),
        tool('send_email', 'irreversible'),
      ]),
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

/** Which of two clauses was worked on, `A` or `B`, by whom, with a stop wherever that ended. */
async function done(question: string, strategy: string, [one, other]: readonly [Said, Said]): Promise<string> {
  log = []
  await app.ask({ question, strategy, memory: false })
  const isOf = ({ text, agent }: (typeof log)[number], clause: Said): boolean =>
    agent === clause.of && text.toLowerCase().includes(clause.text.toLowerCase())
  return log
    .map((entry) => (entry.is === 'ended' ? '.' : isOf(entry, one) ? 'A' : isOf(entry, other) ? 'B' : '?'))
    .join('')
}

const capital = (text: string): string => text[0]!.toUpperCase() + text.slice(1)
const clause = fc.constantFrom(...CLAUSES)
const pair = fc.tuple(clause, clause).filter(([one, other]) => one.text !== other.text)
const changed = pair.filter((both) => both.some(({ changes }) => changes))
const runs = { numRuns: Number(process.env['TUTTI_TEST_RUNS'] ?? 40) }
const STRATEGIES = ['graph', 'supervisor', 'pipeline']

it.each(STRATEGIES)('comes after what was said before it: %s', async (strategy) => {
  const lead = fc.constantFrom('', 'First, ', 'Please ')
  await fc.assert(
    fc.asyncProperty(lead, pair, fc.constantFrom(...THEN, ...AND), async (before, [one, other], joint) => {
      const isThen = THEN.includes(joint)
      const second = joint === '. ' ? capital(other.text) : other.text
      const question = `${capital(before + one.text)}${joint}${second}.`
      const areMails = [one, other].every(({ of, changes }) => of === 'letters' && changes)
      const isAfter = one.changes && (isThen || (one.of === other.of && !areMails))
      const isAlike = one.of === other.of && !one.changes && !other.changes
      const isInTurn = strategy === 'pipeline' || isAfter || (isThen && !isAlike)
      const isOpen = !isInTurn && (one.changes || other.changes)
      const allowed = isInTurn ? ['A.B.'] : isOpen ? ['A.B.', 'AB..'] : ['AB..']
      expect(allowed, question).toContain(await done(question, strategy, [one, other]))
    }),
    runs,
  )
})

it.each(STRATEGIES)('comes after, where that is said behind it: %s', async (strategy) => {
  await fc.assert(
    fc.asyncProperty(changed, fc.constantFrom(...AND), fc.constantFrom(...LAST), async (both, joint, last) => {
      const [one, other] = both
      const question = `${capital(one.text)}${joint}${joint === '. ' ? capital(other.text) : other.text}${last}.`
      expect(['A.B.'], question).toContain(await done(question, strategy, both))
    }),
    runs,
  )
})

it.each(STRATEGIES)('comes before, where that is said behind it: %s', async (strategy) => {
  await fc.assert(
    fc.asyncProperty(changed, fc.constantFrom(...AND), fc.constantFrom(...FIRST), async (both, joint, first) => {
      const [one, other] = both
      const question = `${capital(one.text)}${joint}${joint === '. ' ? capital(other.text) : other.text}${first}.`
      expect(['B.A.'], question).toContain(await done(question, strategy, both))
    }),
    runs,
  )
})
