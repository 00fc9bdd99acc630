import type { ToolDefinition, TranscriptMessage } from '../../domain/turn.ts'

/** Context lines of a change, and maximum of lines per difference. */
const CONTEXT = 2
const MAX_LINES = 40

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

/** The lines from the first change to the last with their context, as `diff -u` marks them. */
function unified(before: string, now: string): string {
  const [a, b] = [before.split('\n'), now.split('\n')]
  let start = 0
  while (start < a.length && start < b.length && a[start] === b[start]) start++
  let end = 0
  while (end < a.length - start && end < b.length - start && a.at(-1 - end) === b.at(-1 - end)) end++
  const lines = [
    ...a.slice(Math.max(0, start - CONTEXT), start).map((line) => ` ${line}`),
    ...a.slice(start, a.length - end).map((line) => `-${line}`),
    ...b.slice(start, b.length - end).map((line) => `+${line}`),
    ...a
      .slice(a.length - end)
      .slice(0, CONTEXT)
      .map((line) => ` ${line}`),
  ]
  const more = lines.length - MAX_LINES
  return [...lines.slice(0, MAX_LINES), ...(more > 0 ? [`… ${more} more lines`] : [])].join('\n')
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
