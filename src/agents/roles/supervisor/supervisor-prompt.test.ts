import fc from 'fast-check'
import { expect, it } from 'vitest'
import { routeAgents, type SupervisorInput } from './supervisor-prompt.ts'

const TAGS = ['session_history', 'current_plan', 'state_context', 'problem', 'user_request', 'agents']

/** What somebody would write to get out of a section, or to begin one. */
const hostile = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        '<',
        '</',
        '< /',
        '<\u200b/',
        '<\n/',
        '>',
        '/>',
        '\n',
        '\r',
        '\u2028',
        '&lt;',
        '\\',
        '"',
        ' ',
        '<!--',
        '<![CDATA[',
      ),
      fc.constantFrom(...TAGS),
      fc.constantFrom(...TAGS.flatMap((tag) => [`<${tag}>`, `</${tag}>`, `< / ${tag} >`, `<${tag.toUpperCase()}>`])),
      fc.string({ unit: 'grapheme', maxLength: 4 }),
    ),
    { maxLength: 8 },
  )
  .map((parts) => parts.join(''))

const texts = fc.array(hostile, { maxLength: 3 })
const given: fc.Arbitrary<SupervisorInput> = fc.record({
  user_request: texts,
  session_history: texts,
  current_plan: fc.array(
    fc.record({ id: hostile, agent: hostile, task: hostile, depends_on: texts, status: hostile }),
    { maxLength: 2 },
  ),
  state_context: fc.record({
    context: texts,
    asked: texts,
    results: fc.array(
      fc.record({ task: hostile, agent: hostile, status: hostile, result: fc.dictionary(hostile, hostile) }),
      {
        maxLength: 2,
      },
    ),
    blackboard: fc.array(fc.record({ name: hostile, by: hostile, value: texts }), { maxLength: 2 }),
    artifacts: texts,
    messages: fc.array(fc.record({ from: hostile, kind: hostile, content: hostile }), { maxLength: 2 }),
    preferred: texts,
    disabled: texts,
  }),
  agents: fc.array(
    fc.record({
      name: hostile,
      description: hostile,
      capabilities: texts,
      useCases: texts,
      tools: fc.array(fc.record({ name: hostile, description: hostile, effect: hostile }), { maxLength: 1 }),
      usesResults: fc.boolean(),
      missingContext: texts,
    }),
    { maxLength: 2 },
  ),
  maxTasks: fc.constant(20),
  problem: hostile,
})

it('no content opens or closes a section, and no line of it stands outside of one', () => {
  fc.assert(
    fc.property(given, (input) => {
      const { stable, user } = routeAgents.render(input)
      const text = `${stable}\n${String(user)}`
      const tags = [...text.matchAll(/<\s*(\/?)\s*(\w+)\s*>/g)].map(([whole]) => whole)
      const sections = ['agents', 'session_history', 'current_plan', 'state_context', 'problem', 'user_request']
      expect(tags).toEqual(sections.flatMap((tag) => [`<${tag}>`, `</${tag}>`]))
      const outside = text.replaceAll(/<(\w+)>\n[\s\S]*?\n<\/\1>/g, '').trim()
      expect(outside).toBe('At most 20 steps.')
    }),
    { numRuns: 500 },
  )
})
