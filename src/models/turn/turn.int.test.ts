import { beforeEach, describe, expect, test } from 'vitest'
import { callOptions as options, localProvider, turnRequest as request } from '../../../test/support/model-calls.ts'
import { startModelServer } from '../../../test/support/model-server.ts'
import { systemClock } from '../../shared/clock.ts'
import { TuttiError } from '../../domain/errors.ts'
import type { TranscriptMessage } from '../../domain/turn.ts'
import { ManualClock } from '../../testing/manual-clock.ts'
import type { ModelsConfig } from '../config.ts'
import { createModels } from '../registry.ts'
import { openForAll } from '../../../test/support/opened.ts'

const server = openForAll(() => startModelServer())
beforeEach(() => server.script([]))

const modelsOf = (config: Partial<ModelsConfig> = {}) =>
  createModels({ providers: [localProvider(server.url)], ...config }, { clock: systemClock, random: () => 0 })

describe('a turn', () => {
  test('without tools sends neither an empty list nor a tool choice', async () => {
    server.script([{ reply: { text: 'Hello.' } }])
    const bare = request()
    await modelsOf().turn!({ ...bare, head: { ...bare.head, tools: [] }, toolChoice: 'none' }, options())
    expect(server.requests[0]!.body).not.toHaveProperty('tools')
    expect(server.requests[0]!.body).not.toHaveProperty('tool_choice')
  })

  test.each([
    ['a call without a result', []],
    ['a result too few', [{ type: 'tool-result', id: 'a', name: 'query', text: '' }]],
    [
      'results in another order',
      ['b', 'a'].map((id) => ({ type: 'tool-result' as const, id, name: 'query', text: '' })),
    ],
  ] as const)('is refused for %s', async (_name, parts) => {
    const calls: TranscriptMessage = {
      role: 'assistant',
      parts: ['a', 'b'].map((id) => ({ type: 'tool-call', id, name: 'query', input: {} })),
    }
    const results: TranscriptMessage[] = parts.length === 0 ? [] : [{ role: 'tool', parts }]
    await expect(modelsOf().turn!(request([calls, ...results]), options())).rejects.toMatchObject({ code: 'Internal' })
    expect(server.requests).toHaveLength(0)
  })
})

describe('a turn that fails', () => {
  test('after its retries throws ModelUnavailable with the reason', async () => {
    server.script([{ reply: { status: 400, text: 'bad' } }])
    await expect(modelsOf().turn!(request(), options())).rejects.toMatchObject({
      code: 'ModelUnavailable',
      message: 'No model answered: local refused the request (400): bad.',
    })
  })

  test('goes to the second model of the same provider after the first one hung twice', async () => {
    server.script([
      { model: 'm1', reply: { fault: 'stall' } },
      { model: 'm2', reply: { text: 'from the second' } },
    ])
    const clock = new ManualClock()
    const models = createModels(
      { providers: [localProvider(server.url)], seconds: { assistant: 'local:m2' } },
      { clock },
    )
    const turn = models.turn!(request(), options())
    await server.arrived(1)
    await clock.advance(60_000)
    while (server.requests.length < 2) await clock.advance(500)
    await clock.advance(60_000)
    while (server.requests.length < 3) await clock.advance(500)
    expect(await turn).toMatchObject({ model: 'local:m2', requests: 3 })
    expect(server.countOf(0)).toBe(2)
  })

  test('for lack of budget asks no other model and throws BudgetExceeded', async () => {
    const reserve = (): never => {
      throw new TuttiError('BudgetExceeded', 'no calls left')
    }
    const models = modelsOf({ seconds: { default: 'local:m2' } })
    await expect(models.turn!(request(), options({ reserve }))).rejects.toMatchObject({ code: 'BudgetExceeded' })
    expect(server.requests).toHaveLength(0)
  })
})
