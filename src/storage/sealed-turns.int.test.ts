import fc from 'fast-check'
import { expect, it } from 'vitest'
import { describeStores } from '../../test/support/stores.ts'
import { moment, started } from '../../test/support/storage.ts'
import type { NewEvent } from '../domain/events.ts'
import { BY_USER } from '../domain/provenance.ts'
import type { JsonValue } from '../domain/turn.ts'

const SECRETS = ['hunter-2-hunter', '48151623', 'customer', '秘密の言葉', 'half \ud83c surrogate']

const text = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        ...SECRETS,
        'sk-proj-0123456789abcdef',
        'password="\ud83c\ud83d"',
        '⟦sealed:1:00000000:AAAA⟧',
        '\0',
      ),
      fc.string({ unit: 'binary', maxLength: 6 }),
    ),
    { maxLength: 5 },
  )
  .map((words) => words.join(' '))
const leaf = fc.oneof(
  text,
  fc.constantFrom(48151623, 1e21, 0.1, -5e-324),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
)
const { value } = fc.letrec<{ value: JsonValue }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    leaf,
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(fc.oneof(text, fc.constantFrom('7', '__proto__', '$values')), tie('value'), { maxKeys: 3 }),
  ),
}))
const input = fc.dictionary(fc.oneof(text, fc.string()), value, { maxKeys: 3 })

describeStores('turns that contain secrets of their run', (store) => {
  it('are read byte for byte as written', async () => {
    const begin = { ...started(), secrets: SECRETS }
    await store().append([{ runId: 'sealed', afterSeq: 0, events: [begin] }])
    let seq = 1
    const property = fc.asyncProperty(input, text, input, async (call, result, metadata) => {
      const at = new Date(moment(seq)).toISOString()
      const parts = [
        { type: 'reasoning', text: result, providerMetadata: { p: metadata } },
        { type: 'text', text: result },
        { type: 'tool-call', id: 'c', name: 'look_up', input: call },
      ] as const
      const about = { at, key: 'a', turn: 1 } as const
      const events: NewEvent[] = JSON.parse(
        JSON.stringify([
          {
            ...about,
            type: 'turn.finished',
            reply: { role: 'assistant', parts },
            requests: 1,
            latencyMs: 1,
            provenance: BY_USER,
          },
          { ...about, type: 'call.answered', name: 'look_up', index: 0, text: result },
        ]),
      )
      expect(await store().append([{ runId: 'sealed', afterSeq: seq, events }])).toEqual(['appended'])
      const read = await store().read('sealed', seq)
      seq += 2
      const bodies = read.map(({ runId: _runId, seq: _seq, v: _v, ...body }) => body)
      expect(bodies).toEqual(events)
      const bytes = (event: NewEvent | undefined): string =>
        JSON.stringify(event?.type === 'turn.finished' ? event.reply : event)
      expect(bytes(bodies[0])).toBe(bytes(events[0]))
    })
    await fc.assert(property, { seed: 26, numRuns: 150 })
  })
})
