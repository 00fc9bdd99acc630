import { afterAll, beforeAll, expect, it } from 'vitest'
import { times } from '../support/length.ts'
import type { App } from '../../src/app.ts'
import { createMcpWorld, type McpWorld } from '../mcp/support.ts'
import { writeAirline } from './parts-world.ts'
import { testSeed } from '../support/seed.ts'

/**
 * Questions of several parts over a database, documents and servers of tools, without a model: each part is answered as it is alone,
 * or named as not answered. `TUTTI_TEST_SEED` makes others.
 */

let world: McpWorld
let app: App

beforeAll(async () => {
  world = await createMcpWorld()
  app = await world.open(await writeAirline(world, true))
}, 120_000)
afterAll(() => world.close())

async function ask(question: string) {
  const { answer = '', metadata } = await app.ask({
    question,
    interactive: false,
    context: { current_date: '2026-11-24' },
  })
  return { answer, isAnswered: metadata.isAnswered, open: metadata.unanswered.map(plain) }
}

const plain = (text: string): string => text.toLowerCase().replace(/[\s.,;?!]+$/, '')

/** What can be asked alone, and what a right answer holds; undefined where nobody answers it. */
const PARTS = {
  refunded: ['how many bookings were refunded', 'number of bookings for “refunded” is 2'],
  passengers: ['how many passengers are there', 'number of passengers is 5'],
  claims: ['by when must claims be handed in', '31 March'],
  chair: ['who chaired the board meeting', 'Marte Holm'],
  memory: ['how much memory does version 2 require', '8 GB'],
  file: ['read hello.txt', 'Greetings from Bodo.'],
  echo: ['echo message=hello', 'Echo: hello'],
  stock: ['call stock_level product=X', 'In stock of X: 17'],
  weather: ['what is the weather in Paris', undefined],
  captains: ['how many captains are there', undefined],
  newer: ['how much memory does version 3 require', undefined],
} as const
type Name = keyof typeof PARTS
const NAMES = Object.keys(PARTS) as Name[]

const JOINERS = [', and ', ' and ', '; also ', '. Then ', ' as well as ', ', ']

/** A generator of numbers from a seed, for the same questions each time. */
function numbers(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

/** Two or three parts in any order with any joiner, and no question mark within. */
function questions(seed: number, count: number): (readonly [string, readonly Name[]])[] {
  const next = numbers(seed)
  return Array.from({ length: count }, () => {
    const left = [...NAMES]
    const names = Array.from({ length: 2 + next(2) }, () => left.splice(next(left.length), 1)[0]!)
    const text = names.reduce((said, name, i) => {
      const joiner = JOINERS[next(JOINERS.length)]!
      // A comma alone ends no sentence of two parts.
      const last = joiner === ', ' && i === names.length - 1 ? ', and ' : joiner
      const [part] = PARTS[name]
      return i === 0 ? part : said + last + part
    }, '')
    const isQuestion = !['file', 'echo', 'stock'].includes(names.at(-1)!)
    return [text.replace(/^./, (c) => c.toUpperCase()) + (isQuestion ? '?' : ''), names] as const
  })
}

const SEED = testSeed(20_261_124)

it.each(questions(SEED, times(60)))(
  '%s',
  async (question, names) => {
    const { answer, open, isAnswered } = await ask(question)
    // What stands behind “Then” waits for what is before it, and may be named in place of being answered.
    const expected = names.filter((name) => {
      const [part, holds] = PARTS[name]
      const isBehind = question.includes(`. Then ${part}`)
      return holds === undefined || (isBehind && open.includes(plain(part)))
    })
    const missing = names.filter((name) => !expected.includes(name) && !answer.includes(PARTS[name][1] ?? ''))
    expect(missing, answer).toEqual([])
    const texts = expected.map((name) => plain(PARTS[name][0]))
    expect(open, answer).toEqual(texts)
    for (const part of texts) expect(answer.toLowerCase()).toContain(`“${part}”`)
    expect(isAnswered).toBe(expected.length < names.length)
  },
  60_000,
)
