import fc from 'fast-check'
import { expect, it } from 'vitest'
import { PROMPTS } from '../src/app/prompts.ts'
import { truncateTogether } from '../src/shared/json.ts'
import { MAX_FINDINGS_CHARS } from '../src/domain/prompt-text.ts'

type Texts = readonly string[]

/** The input of each of these prompts, with results of tools and agents in every field for results. */
const INPUTS: Readonly<Record<string, (texts: Texts) => object>> = {
  'supervisor.route': (texts) => ({
    about: ['How much?'],
    session_history: [],
    current_plan: [],
    agents: '',
    unusable: [],
    maxTasks: 9,
    state_context: { blackboard: [], messages: [], preferred: [], can_ask_user: true },
    results: texts.map((text) => ({ task: 'a', agent: 'a', status: 'succeeded', text })),
  }),
  'composer.compose': (texts) => ({
    about: ['How much?'],
    rationale: '',
    localeRule: '',
    results: texts.map((text) => ({ agent: 'sql', status: 'succeeded', task: 'it', text })),
  }),
}

function sent(name: string, texts: Texts): string {
  const prompt = PROMPTS.find((one) => one.name === name)!
  const { instructions, stable = '', user } = prompt.render(prompt.input.parse(INPUTS[name]!(texts)) as never)
  return [instructions, stable, ...(typeof user === 'string' ? [user] : user.map(({ text }) => text))].join('\n')
}

/** Many large texts, a few small ones, one very large one. Line breaks take the most space when quoted and encoded as JSON. */
const texts = fc
  .array(
    fc.tuple(fc.constantFrom('x', 'a line\n', '"', '</found>'), fc.oneof(fc.nat(40), fc.nat(5_000), fc.nat(400_000))),
    {
      maxLength: 40,
    },
  )
  .map((parts) => parts.map(([piece, length]) => piece.repeat(Math.ceil(length / piece.length)).slice(0, length)))

/** Overhead of each text in the prompt: its tags and names. */
const AROUND = 200

it.each(Object.keys(INPUTS))('%s limits the size of results, however many there are', (name) => {
  const bare = sent(name, []).length
  fc.assert(
    fc.property(texts, (some) => {
      // At most two sections. In JSON a quotation mark takes two characters.
      expect(sent(name, some).length - bare).toBeLessThanOrEqual(
        2 * (MAX_FINDINGS_CHARS + AROUND * some.length) + AROUND,
      )
    }),
    { seed: 20261123, numRuns: 60 },
  )
})

it.each(Object.keys(INPUTS))('%s shows all results within the limit', (name) => {
  const some = Array.from({ length: 6 }, (_none, n) => `${n}-`.repeat(1_000))
  for (const text of some) expect(sent(name, some)).toContain(text)
})

it('texts are truncated together to the limit, none without need', () => {
  fc.assert(
    fc.property(
      fc.array(
        fc.nat(300).map((length) => 'x'.repeat(length)),
        { maxLength: 30 },
      ),
      fc.nat(2_000),
      (some, most) => {
        const kept = truncateTogether(some, most)
        const sum = (those: Texts): number => those.reduce((total, { length }) => total + length, 0)
        expect(sum(kept)).toBeLessThanOrEqual(Math.max(most, some.length))
        const isRoom = sum(some) <= most
        const longest = Math.max(0, ...kept.map(({ length }) => length))
        const wronged = some.filter((text, n) => kept[n] !== text && (isRoom || kept[n]!.length < longest))
        expect(wronged).toEqual([])
      },
    ),
    { seed: 20261123 },
  )
})
