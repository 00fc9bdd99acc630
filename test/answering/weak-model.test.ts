import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { App } from '../../src/app.ts'
import { createDemoDatabase } from '../../src/demo/database.ts'
import type { LiveItem } from '../../src/engine/readers/live.ts'
import { openApp } from '../../src/setup/setup.ts'
import { sqlLoop, startModelServer, type ModelServer, type Rule } from '../support/model-server.ts'
import { ASKED, TODAY } from '../e2e/support.ts'

/** A model that invents, forgets and chatters, against the whole product: 92 customers there are, and 4217 nowhere. */

const QUESTION = 'How many customers are there?'
const INVENTED = '4217'
const GOOD_SQL = 'SELECT count(*) AS customers FROM customers'

let folder: string
let server: ModelServer
let app: App

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tutti-weak-'))
  await createDemoDatabase(join(folder, 'demo.sqlite'))
  server = await startModelServer()
})

afterAll(async () => {
  await server.close()
  await rm(folder, { recursive: true, force: true })
})

afterEach(async () => app.close())

function rules(...first: Rule[]): Rule[] {
  return [
    ...first,
    { when: ASKED.planner, reply: { json: { agents: ['sql'], rationale: 'r', confidence: 0.9 } } },
    ...sqlLoop(GOOD_SQL, 'There are 92 customers.'),
    { when: ASKED.compose, reply: { text: 'There are 92 customers.' } },
  ]
}

async function ask(script: Rule[], question = QUESTION, documents: readonly string[] = []) {
  server.script(script)
  app = await openApp({
    env: { TUTTI_MODEL_URL: server.url, TUTTI_MODEL: 'compatible:scripted' },
    cwd: folder,
    inMemory: true,
    ...(documents.length > 0 ? { documents } : { databases: [{ url: `sqlite:${join(folder, 'demo.sqlite')}` }] }),
    onTrouble: (error) => expect.fail(error.message),
  })
  const runId = await app.start({ question, trace: true, context: { current_date: TODAY } })
  const items: LiveItem[] = []
  for await (const item of app.engine.stream(runId)) items.push(item)
  const shown = items.flatMap((item) => (item.type === 'live.text' || item.type === 'answer.delta' ? [item.text] : []))
  const response = await app.response(runId)
  // Whatever the model says, this is what nobody is shown.
  expect([response.answer, ...response.metadata.notes, ...shown].join('\n')).not.toMatch(/4[.,]?217/)
  return { response, shown: shown.join('') }
}

const composed = (text: string, times?: number): Rule => ({
  when: ASKED.compose,
  ...(times === undefined ? {} : { times }),
  reply: { text },
})
const compositions = () => server.requests.filter(({ text }) => text.includes(ASKED.compose))
const OWN = 'customers: 92.'

describe('a weak model', () => {
  it('that invents a figure is told so once, and repairs it', async () => {
    const { response } = await ask(rules(composed(`There are ${INVENTED} customers.`, 1)))
    expect(response.answer).toBe('There are 92 customers.')
    expect(compositions()[1]!.text).toContain(`does not follow from them: ${INVENTED}.`)
    expect(response.metadata.notes).toEqual([])
  })

  it('that insists on its figure is not printed: the agent’s own answer stands, with a note', async () => {
    const { response, shown } = await ask(rules(composed(`There are ${INVENTED} customers.`)))
    expect(response.answer).toBe(OWN)
    expect(shown).toBe(OWN)
    expect(compositions()).toHaveLength(2)
    expect(response.metadata.notes).toEqual(['The agents’ own words: the model’s answer did not hold what was found.'])
  })

  it('that adds an invented sentence loses that sentence alone, in the stream as well', async () => {
    const text = `There are 92 customers. Last year there were ${INVENTED}. That is all.`
    const { response, shown } = await ask(rules(composed(text)))
    expect(response.answer).toBe('There are 92 customers. That is all.')
    expect(shown).toContain('There are 92 customers. That is all.')
    expect(response.metadata.notes[0]).toMatch(/^Sentences of the model were left out/)
  })

  it.each(['There are 29 customers.', 'There are 920 customers.', 'There are ninety-three customers.'])(
    'that changes a figure is not believed: %s',
    async (text) => expect((await ask(rules(composed(text)))).response.answer).toBe(OWN),
  )

  it('that invents a name has it taken out', async () => {
    const { response } = await ask(rules(composed('There are 92 customers. The best one is “Acme 4217 Ltd”.')))
    expect(response.answer).toBe('There are 92 customers.')
  })

  it('that cites what is not there has the mark taken out, in the stream as well', async () => {
    const { response, shown } = await ask(rules(composed('There are 92 customers [99]. That is all.')))
    expect(response.answer).toBe('There are 92 customers. That is all.')
    expect(shown).not.toContain('[99]')
  })

  it('that has nothing but such a mark for a sentence loses the sentence, in the stream as well', async () => {
    const text = 'There are 92 customers. They are happy with the service [99]. That is all.'
    const { response, shown } = await ask(rules(composed(text)))
    expect(response.answer).toBe('There are 92 customers. That is all.')
    expect(shown).not.toContain('happy')
  })

  it('that answers in another language is asked again, and is not taken', async () => {
    const german = composed('Es gibt 92 Kunden, die in der Datenbank sind.')
    expect((await ask(rules({ ...german, times: 1 }))).response.answer).toBe('There are 92 customers.')
    expect(compositions()[1]!.text).toContain('not in the language of the question')
    await app.close()
    expect((await ask(rules(german))).response.answer).toBe(OWN)
    await app.close()
    // Unless that is what the user wants.
    expect((await ask(rules(german), `${QUESTION} Answer in German.`)).response.answer).toContain('Es gibt 92 Kunden')
  })

  it.each(['', '   '])('that says nothing at all leaves the agent’s own answer: “%s”', async (text) => {
    const { response } = await ask(rules(composed(text)))
    expect(response.answer).toBe(OWN)
    expect(response.metadata.notes[0]).toMatch(/^Done without a model: the wording of the answer/)
  })

  it('that chatters instead of answering leaves the agent’s own answer', async () => {
    const { response } = await ask(rules(composed('Sure! I am happy to help you with that. What else can I do?')))
    expect(response.answer).toBe(OWN)
  })
})
