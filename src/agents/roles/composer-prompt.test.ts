import { describe, expect, it } from 'vitest'
import { localeProfile } from '../../core/locale.ts'
import { answerOfAgents, composeAnswer, failuresOf, type AgentSummary } from './composer-prompt.ts'

function summary(agent: string, more: Partial<AgentSummary> = {}): AgentSummary {
  return {
    agent,
    status: 'succeeded',
    answer: '',
    error: '',
    declined: false,
    label: `the ${agent}`,
    sources: [],
    basis: [],
    preview: [],
    isOverridden: false,
    ...more,
  }
}

const given = (summaries: AgentSummary[], limit?: string) => ({
  question: 'How much?',
  rationale: 'because',
  summaries,
  localeRule: localeProfile(undefined).rule,
  ...(limit === undefined ? {} : { limit }),
})

describe('the answer without a model', () => {
  it('is the agent’s own answer', () => {
    expect(answerOfAgents(given([summary('sql', { answer: 'Rock: 12.' })]))).toBe('Rock: 12.')
  })

  it('puts marks behind answers when there is more than one source', () => {
    const sql = summary('sql', { answer: 'Rock: 12.', sources: [{ n: 1, place: 'shop' }] })
    const rag = summary('rag', { answer: 'Seven days [2].', sources: [{ n: 2, place: 'policy.pdf' }] })
    expect(answerOfAgents(given([sql, rag]))).toBe('Rock: 12. [1]\n\nSeven days [2].')
    expect(answerOfAgents(given([sql]))).toBe('Rock: 12.')
  })

  it('says that a person changed the task', () => {
    const changed = summary('web', { answer: 'Cricket.', isOverridden: true })
    expect(answerOfAgents(given([changed]))).toBe('(What was asked of the web was changed during approval.) Cricket.')
    expect(composeAnswer.render(given([changed])).user).toContain('The user changed the task of web during approval.')
  })

  it('says what failed beside what succeeded, each reason once, by the names that people use', () => {
    const failed = summary('api', { status: 'failed', error: 'the request to the service failed' })
    expect(failuresOf([summary('sql', { answer: 'Rock: 12.' }), failed, failed])).toEqual([
      'The api gave no answer: the request to the service failed.',
    ])
    expect(failuresOf([summary('sql'), { ...failed, part: 'the open orders' }])).toEqual([
      'Not answered: “the open orders”: the request to the service failed.',
    ])
  })

  it('says that a person decided so, not that nothing came of it', () => {
    const why = 'you denied sending this mail: not on a Sunday'
    const denied = summary('mail', { status: 'failed', error: why, isRefused: true })
    const failed = summary('api', { status: 'failed', error: 'it took too long' })
    expect(failuresOf([summary('sql'), denied])).toEqual([`Not done: ${why}.`])
    expect(failuresOf([summary('sql'), { ...denied, part: 'Send it to Bob' }])).toEqual([
      `Not done: “Send it to Bob”: ${why}.`,
    ])
    expect(failuresOf([denied])).toEqual([`Not done: ${why}.`])
    expect(failuresOf([denied, failed])).toEqual([
      `This could not be answered. The mail: ${why}. The api: it took too long.`,
    ])
  })

  it('leaves out who found the question not to be theirs, unless nobody answered', () => {
    const declined = summary('computation', { status: 'failed', error: 'nothing to compute', declined: true })
    expect(failuresOf([summary('sql', { answer: 'Rock: 12.' }), declined])).toEqual([])
    expect(failuresOf([declined])).toEqual(['This could not be answered: nothing to compute.'])
  })

  it('says in one paragraph that it could not answer when nothing succeeded', () => {
    const failed = summary('sql', { status: 'failed', error: 'no table is about weather' })
    expect(failuresOf([failed])).toEqual(['This could not be answered: no table is about weather.'])
    expect(failuresOf([failed, failed])).toEqual(['This could not be answered: no table is about weather.'])
    expect(failuresOf([failed, summary('rag', { status: 'failed', error: 'no passage fits' })])).toEqual([
      'This could not be answered. The sql: no table is about weather. The rag: no passage fits.',
    ])
  })

  it('says nothing of what was left out for what failed before it', () => {
    const failed = summary('sql', { status: 'failed', error: 'no table is about weather' })
    const skipped = summary('computation', { status: 'skipped', error: 'nothing came of what it needs' })
    expect(failuresOf([failed, skipped])).toEqual(['This could not be answered: no table is about weather.'])
  })

  it('names a part once, with the reason that says most', () => {
    const part = 'Send it to Bob'
    const skipped = summary('mail', { status: 'skipped', error: 'nothing came of what it needs', part })
    const failed = summary('mail', { status: 'failed', error: 'no mail account is set up', part })
    const told = 'Not answered: “Send it to Bob”: no mail account is set up.'
    expect(failuresOf([summary('sql'), skipped, failed])).toEqual([told])
    expect(failuresOf([summary('sql'), failed, skipped, { ...failed, error: 'it took too long' }])).toEqual([told])
    expect(failuresOf([skipped, failed])).toEqual(['This could not be answered: no mail account is set up.'])
  })

  it('tells why the last resort declined only where nobody before it told why', () => {
    const refused = { status: 'failed', error: 'there are no documents yet', isLastResort: true } as const
    const failed = summary('sql', { status: 'failed', error: 'no table is about weather' })
    expect(failuresOf([failed, summary('rag', refused)])).toEqual([
      'This could not be answered: no table is about weather.',
    ])
    expect(failuresOf([summary('rag', refused), failed])).toEqual([
      'This could not be answered. The rag: there are no documents yet. The sql: no table is about weather.',
    ])
    expect(failuresOf([summary('rag', refused)])).toEqual(['This could not be answered: there are no documents yet.'])
  })

  it('says that no data was returned, and that a limit was reached', () => {
    expect(answerOfAgents(given([summary('sql')]))).toBe('No data was returned.')
    expect(answerOfAgents(given([summary('sql', { answer: 'Rock.' })], 'The limit of 1 model calls is reached.'))).toBe(
      'Rock.\n\nThe limit of 1 model calls is reached. The answer uses what there was.',
    )
  })
})

describe('the prompt', () => {
  it('carries the summaries in the form of SPEC P9', () => {
    const { user } = composeAnswer.render(
      given([summary('sql', { answer: 'Rock: 12.' }), summary('api', { status: 'failed', error: 'it took too long' })]),
    )
    expect(user).toContain('Agent: sql | status: succeeded. Answer: Rock: 12.')
    expect(user).toContain('Agent: api | status: failed. Answer:  Error: it took too long')
  })

  it('asks for Indian rupees in the format of SPEC P9 under en-IN', () => {
    expect(localeProfile('en-IN').money(175_206)).toBe('Rs.1,75,206.00')
    const { instructions } = composeAnswer.render({
      ...given([]),
      localeRule: localeProfile('en-IN').rule,
      systemPrompt: 'Be brief.',
    })
    expect(instructions).toContain('Rs.1,75,206.00')
    expect(instructions).toContain('Be brief.')
  })

  it('takes an unknown locale for the default', () => {
    expect(localeProfile('nonsense!').money(1_234.5)).toBe('1,234.50')
    expect(localeProfile('de-DE').money(1_234.5)).toBe('1.234,50')
  })
})
