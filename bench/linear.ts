/** Functions that must take linear time. Quadratic time grows 16 times when the input grows 4 times. */
import { Marked } from 'marked'
import { tagged } from '../src/domain/prompt-text.ts'
import { createSecrets, secretsIn } from '../src/domain/secrets.ts'
import { checkFigures } from '../src/grounding/figures.ts'
import { collectReply } from '../src/models/reply.ts'
import { bareUrls, KnownUrls } from '../src/shared/links/urls.ts'
import { math } from '../src/web/features/chat/math.ts'

export interface LinearCost {
  readonly name: string
  /** Processor time in ms for a size, and for 4 times that size. */
  readonly ms: readonly [number, number]
  readonly ratio: number
}

const figures = (answer: string, question: string, value: unknown) => checkFigures(answer, question, [{ value }])

const markdown = new Marked({ gfm: true, breaks: true }, math)

const WORK: Readonly<Record<string, (size: number) => unknown>> = {
  'secrets of a question': (size) => {
    const question = Array.from({ length: size / 10 }, (_, i) => `password=a${i}b`).join(' ')
    return createSecrets(secretsIn({ question })).text(question)
  },
  'names of secrets without values': (size) => createSecrets().text('key='.repeat(size)),
  'begins of private keys': (size) => createSecrets().text('-----BEGIN PRIVATE KEY-----'.repeat(size / 8)),
  'addresses without spaces': (size) => new KnownUrls().add('www.'.repeat(size)),
  'hosts before an endless query': (size) => bareUrls('aa.bb,'.repeat(size) + '?'.repeat(size)),
  'schemes without an end': (size) => bareUrls('data:'.repeat(size * 2)),
  'slashes before hosts': (size) => bareUrls(',//a'.repeat(size) + '//a'.repeat(size)),
  'streamed reply in words': (size) => {
    const reply = collectReply(true, () => undefined)
    for (let i = 0; i < size; i++) reply.add({ type: 'text-delta', id: '0', delta: 'word ' })
    return reply.end()
  },
  'ends of prompt sections': (size) =>
    tagged('result', Array.from({ length: size }, (_, n) => `</result_${n}>`).join('')),
  'figures in one sentence': (size) =>
    figures(Array.from({ length: size / 7 }, (_, i) => 123_457 + i * 3_001).join(' '), '', ''),
  'figures of a question': (size) => figures('It is 12,345.', 'word 777777 '.repeat(size / 12), ''),
  'columns of a table': (size) =>
    figures(
      'It is 12,345.',
      '',
      ['c', 1, 2].map((cell) => Array.from({ length: size / 12 }, () => cell).join(',')).join('\n'),
    ),
  'zeros within a number': (size) => figures('It is 12,345.', '', `1${'0'.repeat(size)}1`),
  'empty lines of a result': (size) => figures('It is 12,345.', '', '\n'.repeat(size)),
  'dollar signs': (size) => markdown.lexer('$'.repeat(size)),
  'open formulas': (size) => markdown.lexer('\\[\n$$ a\n\\(a $a_'.repeat(size / 16)),
}

const FIRST_SIZE = 10_000
const ROUNDS = 3

/** Costs of all functions, steepest first. */
export function linearCosts(): LinearCost[] {
  const costs = Object.entries(WORK).map(([name, work]): LinearCost => {
    const ms = [fastest(work, FIRST_SIZE), fastest(work, FIRST_SIZE * 4)] as const
    return { name, ms, ratio: ms[1] / Math.max(ms[0], 1) }
  })
  return costs.toSorted((a, b) => b.ratio - a.ratio)
}

/** Processor time in ms, the least of several rounds. */
function fastest(work: (size: number) => unknown, size: number): number {
  const costs = Array.from({ length: ROUNDS }, () => {
    const before = process.cpuUsage()
    work(size)
    return process.cpuUsage(before).user / 1_000
  })
  return Math.min(...costs)
}
