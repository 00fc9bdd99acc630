import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { RunEvent } from '../../domain/events.ts'
import { BY_USER } from '../../domain/provenance.ts'
import type { AssistantMessage } from '../../domain/turn.ts'
import type { LiveItem } from '../readers/live.ts'
import { maskLog, RunMask } from './masking.ts'

const SECRETS = ['hunter-2-hunter', 'aab-aac', 'pass word 7', '秘密の言葉']
const TOKEN = 'sk-proj-0123456789abcdef'

/** The text of an answer in pieces, as a reader is given it. */
function read(pieces: readonly string[], from = 0): string[] {
  const mask = new RunMask(SECRETS)
  let offset = 0
  const items = pieces.map((text, i): LiveItem => {
    offset += text.length
    const at = offset - text.length
    return i % 2 === 0
      ? { type: 'live.text', part: 1, offset: at, text }
      : { type: 'answer.delta', key: 'c', part: 1, offset: at, text, runId: 'r', seq: i, at: '', v: 1 }
  })
  const shown = [...items.slice(from).flatMap((item) => mask.pass(item)), ...mask.end()]
  return shown.map((item) => ('text' in item ? item.text : ''))
}

function cut(text: string, places: readonly number[]): string[] {
  const at = [...new Set([0, ...places.map((place) => place % (text.length + 1)), text.length])].sort((a, b) => a - b)
  return at.slice(1).map((end, i) => text.slice(at[i], end))
}

const word = fc.oneof(fc.constantFrom(...SECRETS, TOKEN, 'a', 'aab-', 'hunter', ' ', '. '), fc.string({ maxLength: 6 }))
const text = fc.array(word, { maxLength: 12 }).map((words) => words.join(''))

describe('a masked stream', () => {
  it('shows an event of the writing job at once, although its text ends like the beginning of a secret', () => {
    const mask = new RunMask(SECRETS)
    const note: LiveItem = { type: 'live.text', key: 'a', part: 1, offset: 0, text: 'One thing, hunter' }
    const event = {
      type: 'job.started',
      key: 'a',
      actor: 'a',
      attempt: 1,
      runId: 'r',
      seq: 1,
      at: '',
      v: 1,
    } as RunEvent
    const ofOther = { ...event, key: 'b' }
    expect(mask.pass(note)).toEqual([])
    expect(mask.pass(ofOther)).toEqual([])
    expect(mask.pass(event)).toEqual([note, ofOther, event])
  })

  it('shows no secret for any division of the text, and keeps the position of each character', () => {
    const property = fc.property(text, fc.array(fc.nat(), { maxLength: 12 }), (whole, places) => {
      const pieces = cut(whole, places)
      const shown = read(pieces)
      expect(shown.map((piece) => piece.length)).toEqual(pieces.map((piece) => piece.length))
      expect(shown.join('')).toBe(read([whole]).join(''))
      for (const secret of SECRETS) expect(shown.join('')).not.toContain(secret)
    })
    fc.assert(property, { seed: 8, numRuns: 3_000 })
  })

  it('shows a reader who joins in the middle no rest of a secret', () => {
    const property = fc.property(text, fc.array(fc.nat(), { maxLength: 6 }), fc.nat(), (whole, places, seed) => {
      const pieces = cut(whole, places)
      const from = pieces.length === 0 ? 0 : seed % pieces.length
      const before = pieces.slice(0, from).join('').length
      const shown = read(pieces, from).join('')
      for (const secret of SECRETS) {
        for (let at = whole.indexOf(secret); at !== -1; at = whole.indexOf(secret, at + 1)) {
          const rest = whole.slice(Math.max(at, before), at + secret.length)
          const seen = shown.slice(Math.max(at - before, 0), Math.max(at + secret.length - before, 0))
          expect(seen).toBe('*'.repeat(rest.length))
        }
      }
    })
    fc.assert(property, { seed: 8, numRuns: 2_000 })
  })

  it('releases a piece as soon as no secret can start in it', () => {
    const mask = new RunMask(SECRETS)
    const piece = (offset: number, of: string): LiveItem => ({ type: 'live.text', part: 1, offset, text: of })
    expect(mask.pass(piece(0, 'One '))).toHaveLength(1)
    expect(mask.pass(piece(4, 'hun'))).toHaveLength(0)
    expect(mask.pass(piece(7, 'ters hunt. '))).toHaveLength(2)
    expect(mask.pass(piece(18, '秘密'))).toHaveLength(0)
    expect(mask.pass(piece(20, 'です。'))).toHaveLength(2)
  })

  it('releases the text of a turn when its calls begin', () => {
    const mask = new RunMask(SECRETS)
    const about = { runId: 'r', at: '', v: 1, key: 'assistant' } as const
    mask.pass({ ...about, seq: 2, type: 'answer.delta', part: 1, offset: 0, text: 'Let me hun' })
    const call = { type: 'call.answered', name: 'look_up', turn: 1, index: 0, text: '' } as const
    expect(mask.pass({ ...about, ...call, seq: 3, key: 'another' })).toHaveLength(0)
    expect(mask.pass({ ...about, ...call, seq: 4 })).toHaveLength(3)
  })
})

const REASONING = 'thinks-about-it'
const METADATA = { openai: { itemId: 'rs_1', encrypted: 'sealed-by-the-provider' } }
const reply: AssistantMessage = {
  role: 'assistant',
  model: 'openai:one',
  parts: [
    { type: 'reasoning', text: REASONING, providerMetadata: METADATA },
    { type: 'text', text: `Found ${SECRETS[0]}.`, providerMetadata: METADATA },
    {
      type: 'tool-call',
      id: 'c1',
      name: 'look_up',
      input: { word: 'x', password: 'p4ss' },
      providerMetadata: METADATA,
    },
  ],
}

describe('a turn, as readers see it', () => {
  const about = { runId: 'r', at: '2026-01-05T09:00:00.000Z', v: 1, key: 'a' } as const
  const log: RunEvent[] = [
    { ...about, seq: 1, type: 'transcript.started', head: { instructions: 'i', tools: [], messages: [reply] } },
    { ...about, seq: 2, type: 'turn.finished', turn: 1, reply, requests: 1, latencyMs: 1, provenance: BY_USER },
    { ...about, seq: 3, type: 'call.answered', name: 'look_up', turn: 1, index: 0, text: `It is ${SECRETS[0]}.` },
  ]

  it('has its text and calls, and neither reasoning nor provider metadata nor secrets', () => {
    const [head, turn, answer] = maskLog(log, SECRETS)
    const parts = [
      { type: 'text', text: 'Found ***.' },
      { type: 'tool-call', id: 'c1', name: 'look_up', input: { word: 'x', password: '***' } },
    ]
    expect(turn).toMatchObject({ reply: { role: 'assistant', model: 'openai:one', parts } })
    expect(answer).toMatchObject({ text: 'It is ***.' })
    const shown = JSON.stringify([head, turn, answer])
    for (const hidden of [REASONING, 'providerMetadata', 'sealed-by-the-provider', 'p4ss', SECRETS[0]!]) {
      expect(shown).not.toContain(hidden)
    }
  })
})
