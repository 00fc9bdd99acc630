/**
 * What texts cost that repeat one piece many times, at 1, 2 and 4 times a size, through the library and the reader of files. Where
 * the time grows with the size, a text that is twice as long costs about twice as much; the target is three times at most.
 */
import { z } from 'zod'
import type { AppOf } from '../src/app/user-app.ts'
import { chunkDocument } from '../src/documents/chunking/chunk.ts'
import { parseDocument } from '../src/documents/parsing/parse.ts'
import { startModelServer } from '../src/testing/model-server.ts'
import type { Library } from './assistant.ts'

export interface RepetitionCost {
  readonly kind: string
  readonly pieces: number
  /** Of the piece whose time grows most when the size doubles. */
  readonly piece: string
  readonly ms: readonly number[]
  readonly ratio: number
}

/** Pieces that parsers, patterns and searches may come back to again and again. */
const PIECES =
  '( ) [ ]( ![ [a]( [1] [s1] { {"a": } < <div> </p> <!-- <b <table><tr><td> & &amp; ** * __ _ ~~ ` ``` # > - 1. | |a|b| --- \\ " \' “ ’ 1 1, 1.0 -1 12% $1 €5 1e9 2024-01- 12: = =A1 + / // http:// a@ a@b. a. A. a, by and not per AND ? ! … ß é \u0301 \u200d 👩‍👩‍👧 漢 ا %s \0'
    .split(' ')
    .concat([' ', '\n', '\t', '\r\n', '\n\n', 'a ', 'a\n', '1 ', '1\n', '- a\n', '| a |\n', 'a: b\n', ', ', '. ', ' a'])

const FIRST_SIZE = 12_500
/** Below so many milliseconds a ratio says nothing. */
const MIN_MS = 40
const RATIO = 3

type Work = (text: string) => Promise<unknown>

/** The kinds of text, each with the work on it. */
export async function repetitionCosts(library: Library): Promise<RepetitionCost[]> {
  let reply = ''
  let result = ''
  const server = await startModelServer()
  server.script([
    { when: ({ body }) => JSON.stringify(body).includes('"role":"tool"'), reply: { text: 'Done.' } },
    { when: ({ body }) => JSON.stringify(body).includes('"name":"read_note"'), reply: callOf('read_note', {}) },
    { when: LOOK_UP, reply: callOf('ask_notes', { task: 'Read the note.' }) },
    { reply: () => ({ text: reply, chunks: [reply] }) },
  ])
  const { createApp, toolAgent, defineTool } = library
  const note = defineTool({
    name: 'read_note',
    description: 'Reads the note.',
    effect: 'read',
    reach: 'inside',
    input: z.object({}),
    run: async () => result,
  })
  const offline = await createApp()
  const online = await createApp({
    models: { providers: [{ kind: 'compatible', name: 'scripted', baseUrl: server.url }] },
    agents: [toolAgent({ name: 'notes', description: 'Reads the note.', tools: [note] })],
  })
  const asked = (app: AppOf, question: string) => app.ask({ question, memory: false })
  const afterText = async (app: AppOf, text: string): Promise<unknown> => {
    const said = [
      { role: 'user', text },
      { role: 'assistant', text },
    ] as const
    const runId = await app.start({ question: 'And in 2025?', memory: false }, undefined, said)
    return app.runs.outcome(runId)
  }
  const document =
    (name: string): Work =>
    async (text) => {
      const parsed = await parseDocument({ name, bytes: Buffer.from(`x ${text}`) }).catch(() => undefined)
      if (parsed !== undefined) chunkDocument(parsed)
    }
  const works: Readonly<Record<string, Work>> = {
    'question, no model': (text) => asked(offline, `x ${text}`),
    'history, no model': (text) => afterText(offline, `x ${text}`),
    'question, model': (text) => ((reply = 'Yes.'), asked(online, `x ${text}`)),
    'history, model': (text) => ((reply = 'Yes.'), afterText(online, `x ${text}`)),
    'model reply': (text) => ((reply = `x ${text}`), asked(online, 'What is it?')),
    'tool result': (text) => ((result = `x ${text}`), asked(online, LOOK_UP)),
    ...Object.fromEntries(['md', 'txt', 'html', 'csv'].map((type) => [`${type} document`, document(`a.${type}`)])),
  }
  try {
    const costs: RepetitionCost[] = []
    for (const [kind, work] of Object.entries(works)) {
      costs.push(await costOf(kind, work))
    }
    return costs
  } finally {
    await Promise.all([offline.close(), online.close(), server.close()])
  }
}

const LOOK_UP = 'Look it up in the note.'
const callOf = (name: string, input: object) => ({ toolCalls: [{ name, arguments: input }] })

async function costOf(kind: string, work: Work): Promise<RepetitionCost> {
  await work('a')
  let worst: RepetitionCost = { kind, pieces: PIECES.length, piece: '', ms: [], ratio: 0 }
  for (const piece of PIECES) {
    let measured = await timesOf(work, piece)
    // A pause of the machine is not taken for a cost: what looks steep is measured again.
    for (let tries = 0; measured.ratio > RATIO && tries < 3; tries++) {
      const again = await timesOf(work, piece)
      const ms = again.ms.map((time, at) => Math.min(time, measured.ms[at]!))
      measured = { ms, ratio: steepest(ms) }
    }
    if (measured.ratio >= worst.ratio)
      worst = { kind, pieces: PIECES.length, ...measured, piece: JSON.stringify(piece) }
  }
  return worst
}

async function timesOf(work: Work, piece: string): Promise<Pick<RepetitionCost, 'ms' | 'ratio'>> {
  const ms: number[] = []
  for (const times of [1, 2, 4]) {
    const text = piece.repeat(Math.ceil((FIRST_SIZE * times) / piece.length))
    const start = process.cpuUsage()
    await work(text)
    const { user, system } = process.cpuUsage(start)
    ms.push((user + system) / 1_000)
  }
  return { ms, ratio: steepest(ms) }
}

function steepest(ms: readonly number[]): number {
  return Math.max(...ms.slice(1).map((time, at) => (time < MIN_MS ? 0 : time / Math.max(ms[at]!, MIN_MS / 4))))
}
