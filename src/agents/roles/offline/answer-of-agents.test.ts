import { describe, expect, it } from 'vitest'
import { answerOfAgents, failuresOf, type AgentSummary } from './answer-of-agents.ts'

function summary(agent: string, more: Partial<AgentSummary> = {}): AgentSummary {
  return {
    agent,
    status: 'succeeded',
    answer: '',
    error: '',
    declined: false,
    label: `the ${agent}`,
    numbers: [],
    preview: [],
    isOverridden: false,
    ...more,
  }
}

const given = (summaries: AgentSummary[], limit?: string) => ({
  summaries,
  ...(limit === undefined ? {} : { limit }),
})

describe('the answer without a model', () => {
  it('is the agent’s own answer', () => {
    expect(answerOfAgents(given([summary('sql', { answer: 'Rock: 12.' })]))).toBe('Rock: 12.')
  })

  it('puts marks behind answers when there is more than one source', () => {
    const sql = summary('sql', { answer: 'Rock: 12.', numbers: [1] })
    const rag = summary('rag', { answer: 'Seven days [2].', numbers: [2] })
    expect(answerOfAgents(given([sql, rag]))).toBe('Rock: 12. [1]\n\nSeven days [2].')
    expect(answerOfAgents(given([sql]))).toBe('Rock: 12.')
  })

  it('says that a person changed the task', () => {
    const changed = summary('web', { answer: 'Cricket.', isOverridden: true })
    expect(answerOfAgents(given([changed]))).toBe('(What was asked of the web was changed during approval.) Cricket.')
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
