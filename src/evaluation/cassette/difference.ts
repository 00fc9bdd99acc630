import type { ToolDefinition, TranscriptMessage } from '../../domain/turn.ts'

/** Context lines of a change, maximum of lines per difference, and maximum of line pairs to compare. */
const CONTEXT = 2
const MAX_LINES = 40
const MAX_PAIRS = 4_000_000

/** Differences between a cassette and its replay, without duplicates. */
export class Differences {
  readonly texts: string[] = []

  get isNone(): boolean {
    return this.texts.length === 0
  }

  /** @param where job and turn */
  add(where: string, what: string): void {
    this.texts.push(`${where}: ${what}`)
  }

  /** @param part of the prompt; the same change of it in a later turn is not reported again */
  compare(where: string, part: string, before: string, now: string): boolean {
    if (before === now) return true
    const change = `${part}\n${unified(before, now)}`
    if (!this.texts.some((text) => text.endsWith(`: ${change}`))) this.add(where, change)
    return false
  }
}

/** The changed lines of a text with their context, in the format of `diff -u`. */
export function unified(before: string, now: string): string {
  const [a, b] = [before.split('\n'), now.split('\n')]
  let start = 0
  while (start < a.length && start < b.length && a[start] === b[start]) start++
  let end = 0
  while (end < a.length - start && end < b.length - start && a.at(-1 - end) === b.at(-1 - end)) end++
  const lines = [
    ...a.slice(0, start).map((line) => ` ${line}`),
    ...changes(a.slice(start, a.length - end), b.slice(start, b.length - end)),
    ...(end === 0 ? [] : a.slice(-end).map((line) => ` ${line}`)),
  ]
  const isNear = (at: number): boolean => lines.slice(Math.max(0, at - CONTEXT), at + CONTEXT + 1).some(isChange)
  const shown = lines.flatMap((line, at) => (isNear(at) ? [line] : at > 0 && isNear(at - 1) ? ['@@'] : []))
  if (shown.at(-1) === '@@') shown.pop()
  const more = shown.length - MAX_LINES
  return [...shown.slice(0, MAX_LINES), ...(more > 0 ? [`… ${more} more lines`] : [])].join('\n')
}

function isChange(line: string): boolean {
  return line.startsWith('-') || line.startsWith('+')
}

/** Longest common subsequence. If that would take too long, replaces all lines. */
function changes(a: readonly string[], b: readonly string[]): readonly string[] {
  if (a.length * b.length > MAX_PAIRS) return [...a.map((line) => `-${line}`), ...b.map((line) => `+${line}`)]
  const common = Array.from({ length: a.length + 1 }, () => new Uint32Array(b.length + 1))
  for (let i = a.length - 1; i >= 0; i--) {
    for (let j = b.length - 1; j >= 0; j--) {
      common[i]![j] = a[i] === b[j] ? common[i + 1]![j + 1]! + 1 : Math.max(common[i + 1]![j]!, common[i]![j + 1]!)
    }
  }
  const lines: string[] = []
  let [i, j] = [0, 0]
  while (i < a.length || j < b.length) {
    if (i < a.length && j < b.length && a[i] === b[j]) [lines[lines.length], i, j] = [` ${a[i]}`, i + 1, j + 1]
    else if (j >= b.length || (i < a.length && common[i + 1]![j]! >= common[i]![j + 1]!)) lines.push(`-${a[i++]}`)
    else lines.push(`+${b[j++]}`)
  }
  return lines
}

export function toolsText(tools: readonly ToolDefinition[]): string {
  return tools
    .map(({ name, description, inputSchema }) => `${name}: ${description}\n${JSON.stringify(inputSchema, null, 1)}`)
    .join('\n')
}

/** Messages as a model reads them, without reasoning. */
export function messagesText(messages: readonly TranscriptMessage[]): string {
  return messages.map(({ role, parts }) => `[${role}]\n${parts.map(partText).join('\n')}`).join('\n')
}

function partText(part: TranscriptMessage['parts'][number]): string {
  switch (part.type) {
    case 'text':
      return part.text
    case 'reasoning':
      return ''
    case 'file':
      return `file ${part.filename ?? ''} ${part.mediaType} ${part.data}`
    case 'tool-call':
      return `call ${part.name} ${JSON.stringify(part.input)}${part.invalid === undefined ? '' : ` ${part.invalid}`}`
    case 'tool-result':
      return `${part.isError === true ? 'error' : 'result'} of ${part.name}: ${part.text}`
  }
}
