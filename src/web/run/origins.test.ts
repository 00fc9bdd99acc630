import { describe, expect, it } from 'vitest'
import type { RunEvent } from '../../client/run.ts'
import { textSources, splitByOrigin } from './origins.ts'
import { RunLog } from './run-log.ts'

function viewOf(question: string, ...outputs: readonly { output: unknown; author: string; source: string }[]) {
  const log = new RunLog()
  const about = { runId: 'r', at: '2026-11-23T10:00:00.000Z', v: 1 }
  const calls = outputs.map(({ output, author, source }, at) => ({
    type: 'call.finished',
    key: 'mail',
    path: `mail@1/${at}`,
    kind: 'tool',
    name: 'search',
    latencyMs: 1,
    output,
    provenance: { author, private: true, sources: [source] },
  }))
  const events = [
    { type: 'run.started', request: { question, context: {}, strategy: 'graph' } },
    { type: 'job.started', key: 'mail', actor: 'mail', attempt: 1 },
    ...calls,
  ]
  for (const [at, event] of events.entries()) log.apply({ ...about, seq: at + 1, ...event } as unknown as RunEvent)
  return log.view()!
}

describe('the origin of the words of a call', () => {
  const places = textSources(
    viewOf(
      'Write to liam@hotel.example that we are late',
      {
        output: { text: 'Containers take four days longer than in spring.' },
        author: 'outside',
        source: 'newsletter',
      },
      { output: [{ order: 91_534, city: 'Ghent' }], author: 'own', source: 'shop' },
    ),
  )

  it('is given for verbatim words only', () => {
    const text = 'Dear Liam,\n\nContainers take four days longer now. Your order 91534 is late.'
    const stretches = splitByOrigin(text, places)
    expect(stretches.map((one) => one.text).join('')).toBe(text)
    expect(stretches.filter(({ origin }) => origin !== undefined)).toMatchObject([
      { text: 'Containers take four days longer', origin: { author: 'outside', names: ['newsletter'] } },
      { text: '91534', origin: { author: 'own', names: ['shop'] } },
    ])
  })

  it('is the user when they named it themselves', () => {
    expect(splitByOrigin('liam@hotel.example', places)).toMatchObject([{ origin: { author: 'user' } }])
    expect(splitByOrigin('other@hotel.example', places)).toEqual([{ text: 'other@hotel.example' }])
  })
})
