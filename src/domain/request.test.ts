import { describe, expect, it } from 'vitest'
import { parseRequest, withTemporalContext } from './request.ts'

const known = new Set(['sql', 'api', 'rag'])
const parse = (input: unknown) => parseRequest(input, known)

describe('a request', () => {
  it('needs a question and nothing else', () => {
    expect(parse({ question: '  How many?  ' })).toEqual({
      question: 'How many?',
      context: {},
      preferAgents: [],
      disableAgents: [],
      includeData: true,
      trace: false,
      strategy: 'pipeline',
      budget: {},
      models: {},
    })
  })

  it('accepts agent names in any case, and stores their own spelling', () => {
    const agents = new Set(['sql', 'mcp_agent_Bank', 'mcp_agent_bank', 'Weather'])
    const named = (...preferAgents: string[]) => parseRequest({ question: 'q', preferAgents }, agents).preferAgents
    expect(named('mcp_agent_Bank', 'mcp_agent_bank')).toEqual(['mcp_agent_Bank', 'mcp_agent_bank'])
    expect(named('weather', 'WEATHER', ' Sql')).toEqual(['Weather', 'sql'])
  })

  it('has its agent names trimmed, each once, without gaps', () => {
    const request = parse({
      question: 'q',
      preferAgents: [' SQL', null, 'sql', 'Api '],
      disableAgents: [null, '', '  '],
    })
    expect(request.preferAgents).toEqual(['sql', 'api'])
    expect(request.disableAgents).toEqual([])
    expect(parse({ question: 'q', preferAgents: null }).preferAgents).toEqual([])
  })

  it('accepts the agent names that programs use', () => {
    expect(parse({ question: '@RAG_agent q', disableAgents: ['api_docs'] })).toMatchObject({
      question: 'q',
      preferAgents: ['rag'],
      disableAgents: ['api'],
    })
    expect(parseRequest({ question: 'q', preferAgents: ['mail_agent'] }, new Set(['mail_agent'])).preferAgents).toEqual(
      ['mail_agent'],
    )
  })

  it.each([
    ['@sql How many?', 'How many?', ['sql']],
    ['  @SQL @rag\nHow many?', 'How many?', ['sql', 'rag']],
    ['How many @sql?', 'How many @sql?', []],
    ['@example.com: how many customers?', '@example.com: how many customers?', []],
    ['@ sql', '@ sql', []],
  ])('that starts with an agent’s name is for that agent: %s', (whole, question, chosen) => {
    const request = parse({ question: whole, preferAgents: ['api'] })
    expect([request.question, request.preferAgents]).toEqual([question, [...chosen, 'api']])
  })

  it('that starts with an unknown agent, or has no other text, is refused', () => {
    expect(() => parse({ question: '@sq How many?' })).toThrow(
      expect.objectContaining({
        code: 'UnknownAgent',
        message: expect.stringMatching(/agent “@sq”.*Known agents: api, rag, sql\.$/),
      }),
    )
    expect(() => parse({ question: '@sql' })).toThrow('Add the question after “@sql”.')
  })

  it('with unknown agents is refused, listing the known ones', () => {
    expect(() => parse({ question: 'q', preferAgents: ['Ghost'], disableAgents: ['bogus'] })).toThrow(
      expect.objectContaining({
        code: 'UnknownAgent',
        message: 'Unknown agent: ghost, bogus. Known agents: api, rag, sql.',
      }),
    )
  })

  it.each([
    [undefined, 'request:'],
    ['text', 'request:'],
    [{}, 'question:'],
    [{ question: '   ' }, 'question: must not be empty'],
    [{ question: 'q', maxTurns: 0 }, 'maxTurns:'],
    [{ question: 'q', maxTurns: 1.5 }, 'maxTurns:'],
    [{ question: 'q', context: [] }, 'context:'],
    [{ question: 'q', strategy: ' ' }, 'strategy:'],
    [{ question: 'q', budget: { maxCost: 1 } }, 'budget.maxCost:'],
    [{ question: 'q', budget: { maxCalls: -1 } }, 'budget.maxCalls:'],
    [{ question: 'q', quesiton: 'typo' }, 'quesiton'],
    [{ question: 'q', preferAgents: [1] }, 'preferAgents.0:'],
  ])('%j is refused with the position of the fault', (input, place) => {
    expect(() => parse(input)).toThrow(
      expect.objectContaining({ code: 'InvalidRequest', message: expect.stringContaining(place) as string }),
    )
  })
})

describe('the day of a question', () => {
  it.each(['2026-02-30', 'yesterday', '2026-1-5', '', 20260131, null])('%j is refused', (day) => {
    expect(() => parse({ question: 'q', context: { current_date: day } })).toThrow(/"current_date" is not a day/)
  })
})

describe('the temporal context', () => {
  const contextOf = (context: Record<string, unknown>, now = Date.UTC(2026, 1, 3, 23, 59, 59)) =>
    withTemporalContext(parse({ question: 'q', context }), now).context

  it('is added in UTC', () => {
    expect(contextOf({ mine: 1 })).toEqual({
      mine: 1,
      current_datetime_utc: '2026-02-03T23:59:59.000Z',
      current_date: '2026-02-03',
      current_date_start_hour: '2026-02-03 00',
      current_date_end_hour: '2026-02-03 23',
    })
  })

  it('follows a given date, and overwrites nothing', () => {
    expect(contextOf({ current_date: '2020-01-01' })).toMatchObject({
      current_date: '2020-01-01',
      current_date_start_hour: '2020-01-01 00',
      current_date_end_hour: '2020-01-01 23',
    })
    const given = {
      current_datetime_utc: 'a',
      current_date: '2020-02-29',
      current_date_start_hour: '',
      current_date_end_hour: 0,
    }
    expect(contextOf(given)).toEqual(given)
  })

  it('follows the time zone of the context', () => {
    const lateEvening = Date.UTC(2026, 10, 28, 20)
    const dayIn = (current_date_time_zone: string): unknown =>
      contextOf({ current_date_time_zone }, lateEvening).current_date
    expect(dayIn('UTC')).toBe('2026-11-28')
    expect(dayIn('Asia/Kolkata')).toBe('2026-11-29')
    expect(() => dayIn('Mars/Olympus')).toThrow('There is no time zone "Mars/Olympus"')
  })

  it('fills in undefined values', () => {
    expect(contextOf({ current_date: undefined }).current_date).toBe('2026-02-03')
  })
})
