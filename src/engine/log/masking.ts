import type { RunEvent } from '../../domain/events.ts'
import {
  mapEventContent,
  createSecrets,
  declaredBy,
  maskNamedSecrets,
  maskLikelyNamedSecrets,
  type Secrets,
} from '../../domain/secrets.ts'
import { withoutProviderState, type TranscriptMessage } from '../../domain/turn.ts'
import type { LiveItem } from '../readers/live.ts'

type TextItem = Extract<LiveItem, { type: 'live.text' | 'answer.delta' }>

/** A log as users and their programs see it. */
export function maskLog(events: readonly RunEvent[], known: Iterable<string>): RunEvent[] {
  const mask = new RunMask([...known, ...events.flatMap(declaredBy)])
  return [...events.flatMap((event) => mask.pass(event)), ...mask.end()] as RunEvent[]
}

/**
 * Masks the live items of a run for a reader. A secret may be split over several pieces of the answer, so a piece whose
 * end may be the beginning of a secret waits for the next one; items keep their order. In pieces, each character of a
 * secret becomes a star, so that offsets in the answer stay valid.
 */
export class RunMask {
  private readonly values: Set<string>
  private secrets: Secrets
  private part = -1
  /** Key of the job that writes the text. */
  private key: string | undefined
  /** The text to search: the waiting pieces, and the text before them that may belong to a secret. */
  private text = ''
  /** Offset of `text` in the answer. */
  private start = 0
  /** Text since the reader joined in mid-answer, as long as all of it may belong to one secret. */
  private joined: string | undefined
  /** The text is hidden up to here, because its beginning is not known. */
  private blindTo = 0
  private waiting: LiveItem[] = []

  constructor(values: Iterable<string>) {
    this.values = new Set(values)
    this.secrets = createSecrets(this.values)
  }

  /** Takes an item, and returns the items that can be shown now. */
  pass(item: LiveItem): LiveItem[] {
    if (!isText(item)) {
      this.learn(declaredBy(item))
      if (this.waiting.length === 0) return [maskedEvent(item, this.secrets)]
      this.waiting.push(item)
      // The answer is complete, its writer has stopped, or the turn has started its calls.
      const isOver = ENDS_TEXT.has(item.type) || ('key' in item && item.key === this.key)
      return isOver ? this.end() : []
    }
    const before = this.follows(item) ? [] : this.end()
    this.add(item)
    return [...before, ...this.ready(this.secrets.openEnd(this.text))]
  }

  /** The items that are still waiting. */
  end(): LiveItem[] {
    return this.ready(0)
  }

  private learn(values: readonly string[]): void {
    if (values.every((value) => this.values.has(value))) return
    for (const value of values) this.values.add(value)
    this.secrets = createSecrets(this.values)
  }

  private follows({ part, offset }: TextItem): boolean {
    return part === this.part && offset >= this.start && offset <= this.start + this.text.length
  }

  private add(item: TextItem): void {
    if (!this.follows(item)) {
      this.part = item.part
      this.start = item.offset
      this.text = ''
      this.joined = item.offset === 0 ? undefined : ''
    }
    if (this.joined !== undefined) {
      this.joined += item.text
      const [hidden] = this.secrets.edges(this.joined)
      this.blindTo = item.offset + item.text.length - this.joined.length + hidden
      if (hidden < this.joined.length) this.joined = undefined
    }
    this.text = this.text.slice(0, item.offset - this.start) + item.text
    this.key = item.key
    this.waiting.push(item)
  }

  /** The waiting items up to the first piece that reaches into the last `open` characters. */
  private ready(open: number): LiveItem[] {
    const safe = this.start + this.text.length - open
    const stop = this.waiting.findIndex((item) => isText(item) && item.offset + item.text.length > safe)
    const shown = this.waiting.splice(0, stop === -1 ? this.waiting.length : stop)
    const spans = this.secrets.spans(this.text)
    const blind = [0, this.blindTo - this.start] as const
    const stars = [blind, ...spans].reduce((text, [from, to]) => {
      return to <= from ? text : text.slice(0, from) + '*'.repeat(Math.min(to, text.length) - from) + text.slice(to)
    }, this.text)
    const items = shown.map((item) => {
      if (!isText(item)) return maskedEvent(item, this.secrets)
      const from = item.offset - this.start
      return { ...item, text: stars.slice(from, from + item.text.length) }
    })
    // Text that was shown is only needed if a secret may have begun in it.
    const first = this.waiting.find(isText)
    const next = Math.min(first === undefined ? safe : first.offset, safe) - this.start
    const keepFrom = spans.find(([from, to]) => from < next && to > next)?.[0] ?? next
    this.start += keepFrom
    this.text = this.text.slice(keepFrom)
    return items
  }
}

const ENDS_TEXT: ReadonlySet<string> = new Set([
  'answer.composed',
  'job.settled',
  'job.retrying',
  'run.finished',
  'run.failed',
  'run.cancelled',
] satisfies RunEvent['type'][])

function isText(item: LiveItem): item is TextItem {
  return item.type === 'live.text' || item.type === 'answer.delta'
}

/** Where names tell, by the names; everywhere, by the values. */
function maskedEvent(item: LiveItem, secrets: Secrets): LiveItem {
  const { secrets: _declared, ...masked } = maskByName(item as RunEvent)
  return mapEventContent(masked, (text) => secrets.value(text)) as LiveItem
}

function maskByName(event: RunEvent): RunEvent {
  switch (event.type) {
    case 'run.started':
      return { ...event, request: { ...event.request, context: maskNamedSecrets(event.request.context) } }
    case 'call.finished':
      return 'input' in event ? { ...event, input: maskLikelyNamedSecrets(event.input) } : event
    case 'transcript.started':
      return event.head === undefined
        ? event
        : { ...event, head: { ...event.head, messages: redactMessages(event.head.messages) } }
    case 'turn.finished': {
      const { sent, reply, ...about } = event
      return {
        ...about,
        ...(sent && { sent: redactMessages(sent) }),
        ...(reply && { reply: redactMessages([reply])[0]! }),
      }
    }
    case 'approval.requested':
      return { ...event, payload: maskLikelyNamedSecrets(event.payload) }
    case 'shared.set':
      return { ...event, value: Object.values(maskLikelyNamedSecrets({ [event.name]: event.value }))[0] }
    case 'message':
      return { ...event, content: maskLikelyNamedSecrets(event.content) }
    case 'note':
      return event.data === undefined ? event : { ...event, data: maskLikelyNamedSecrets(event.data) }
    default:
      return event
  }
}

/** Readers see neither reasoning nor provider metadata, which only the engine sends back to the provider. */
function redactMessages<M extends TranscriptMessage>(messages: readonly M[]): M[] {
  return messages.map((message) => {
    const parts: readonly object[] = withoutProviderState(message).parts
    return {
      ...message,
      parts: parts.map((part) => ('input' in part ? { ...part, input: maskLikelyNamedSecrets(part.input) } : part)),
    }
  })
}
