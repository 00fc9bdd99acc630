import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { RunResponse } from '../../src/domain/response.ts'
import { FACTS } from '../../scripts/demo-documents/facts.ts'
import { DEMO_DOCUMENTS_NAME, DEMO_MAILBOX_NAME } from '../../src/app/demo-data.ts'
import { createCliWorld, filesUnder, type CliWorld } from '../cli/support.ts'
import { OWNER, TODAY, writtenMails } from './support.ts'

/** The sentence at the head of the README, through the command line, with no model and no key. */

const QUESTION =
  'When must customers report damaged goods by the returns policy, how many orders were returned last quarter and what did they cost? Draft a mail to support about damaged goods with that.'

let world: CliWorld
let mailbox: string
let before: string[]
let response: RunResponse
let notes: string
let exitCode: number | null

beforeAll(async () => {
  world = await createCliWorld()
  await world.run(['demo', '.'])
  mailbox = join(world.folder, DEMO_MAILBOX_NAME)
  before = await filesUnder(mailbox)
  const asked = await ask()
  exitCode = asked.code
  response = JSON.parse(asked.out) as RunResponse
  notes = asked.err
})
afterAll(() => world.close())

/** The question, on the last day of the demo's books. */
const ask = (...more: string[]) => {
  const given = ['--docs', DEMO_DOCUMENTS_NAME, '--db', 'sqlite:brindlemoor.sqlite']
  return world.run(['ask', QUESTION, ...given, '--context', `current_date=${TODAY}`, '--json', '--trace', ...more], {
    env: { TUTTI_MAIL_URL: `maildir:${DEMO_MAILBOX_NAME}`, TUTTI_MAIL_FROM: OWNER },
  })
}

const marksOf = (text: string): number[] => [...text.matchAll(/\[(\d+)\]/g)].map(([, n]) => Number(n))

describe('documents, database and a mail in one question, with no model', () => {
  it('runs as a graph, because it has several parts', () => {
    expect(exitCode).toBe(5)
    expect(response.planner!.guardrails).toMatchObject({ strategy: 'No model is configured.' })
    // Passages do not count as an answer.
    expect(response.metadata.unanswered).toEqual(['When must customers report damaged goods by the returns policy'])
  })

  it('queries documents and database in parallel, and writes the mail after both', () => {
    const places = (agent: string, message: RegExp): number =>
      response.trace!.findIndex((line) => line.agent === agent && message.test(line.message))
    const [ragEnd, sqlEnd] = [places('rag', /^Finished/), places('sql', /^Finished/)]
    expect(places('sql', /^Started/)).toBeGreaterThan(-1)
    expect(places('sql', /^Started/)).toBeLessThan(ragEnd)
    expect(places('rag', /^Started/)).toBeLessThan(sqlEnd)
    expect(places('mail', /^Started/)).toBeGreaterThan(Math.max(ragEnd, sqlEnd))
  })

  it('answers with the policy and the figures: three orders, 218.09', () => {
    expect(response.answer).toContain(FACTS[0]!.sentence)
    expect(response.answer).toMatch(/\b3\b.*\b218\.09\b/)
    expect(response.notices.map(({ text }) => text).join()).toContain('2026-07-01 to 2026-09-30')
    expect(Object.values(response.data!.rows[0]!)).toEqual([3, 218.09])
  })

  it('has a citation for every mark, and a mark for every citation', () => {
    const marks = new Set(marksOf(response.answer))
    expect([...marks].sort()).toEqual(response.citations.map(({ n }) => n).sort())
    expect(new Set(response.citations.map(({ agent }) => agent))).toEqual(new Set(['rag', 'sql']))
    const figures = /[^\n]*218\.09[^\n]*/.exec(response.answer)![0]
    const cited = response.citations.filter(({ n }) => marksOf(figures).includes(n))
    expect(cited.map(({ source }) => source.kind)).toEqual(['database'])
    expect(cited[0]!.source.detail).toMatch(/refund_amount/)
  })

  it('opens the passage that a citation names', async () => {
    const fact = FACTS[0]!
    const { source } = response.citations[0]!
    expect(source).toMatchObject({ kind: 'document', name: fact.file, passage: { page: fact.page } })
    const { documentId, start, end } = source.passage!
    const shown = await world.run(['docs', 'show', documentId, '--passage', `${start}-${end}`])
    expect(shown).toMatchObject({ code: 0 })
    expect(shown.out).toContain(fact.sentence)
    expect(shown.out).toContain(fact.section)
  })

  it('leaves the mail among the drafts, with the figures, and sends nothing', async () => {
    const [draft, ...others] = await writtenMails(mailbox, '.Drafts')
    expect(others).toEqual([])
    expect(draft!.to).toContain('support@brindlemoor-coffee.example')
    expect(draft!.text).toContain(FACTS[0]!.sentence)
    expect(draft!.text).toContain('218.09')
    expect(response.answer).toContain('Saved as a draft, not sent')
    const added = (await filesUnder(mailbox)).filter((file) => !before.includes(file))
    expect(added).toHaveLength(1)
    expect(added[0]).toMatch(/^\.Drafts\/cur\//)
    expect(await writtenMails(mailbox, '.Outbox')).toEqual([])
    expect(notes).not.toContain('approve')
  })
})
