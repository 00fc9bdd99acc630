import { answeredOf, applyEvent, isOver, type LiveText, type RunEvent, type RunState } from '../../client/run.ts'

type CallFinished = Extract<RunEvent, { type: 'call.finished' }>
type TurnFinished = Extract<RunEvent, { type: 'turn.finished' }>

/** A finished call of a model or a tool; a model turn includes its text and its tool calls. */
export interface Call
  extends
    Pick<CallFinished, 'path' | 'kind' | 'name' | 'at' | 'latencyMs' | 'error' | 'by' | 'reason' | 'model'>,
    Pick<CallFinished, 'usage' | 'provenance' | 'input' | 'output'> {
  readonly turn?: Turn
}

interface Turn {
  readonly number: number
  readonly text: string
  /** In the model's order. A call has a result once it is answered. */
  readonly calls: readonly {
    readonly name: string
    readonly input: unknown
    readonly result?: string
    readonly isError?: boolean
  }[]
}

export type ApprovalAsked = Extract<RunEvent, { type: 'approval.requested' }>

/** The state of a run from its events so far: the engine's own reducer, plus details for display. */
export interface RunView {
  readonly state: RunState
  readonly events: readonly RunEvent[]
  /** Finished calls per job, in order. */
  readonly calls: ReadonlyMap<string, readonly Call[]>
  /** End time of each job, in milliseconds since the epoch. */
  readonly ended: ReadonlyMap<string, number>
  readonly asked: ReadonlyMap<string, ApprovalAsked>
  /** The answer, or its text so far. */
  readonly text: string
  readonly isOver: boolean
  /** Waiting if any part of the run waits for the user. */
  readonly status: RunState['status']
  /** Whether the question was answered, as far as the run reports it. */
  readonly answered: 'all' | 'partly' | 'nothing'
}

/** Collects the events of one run, in any chunks, and derives the view. */
export class RunLog {
  private state: RunState | undefined
  private readonly events: RunEvent[] = []
  private readonly calls = new Map<string, Call[]>()
  private readonly ended = new Map<string, number>()
  private readonly asked = new Map<string, ApprovalAsked>()
  private live = { part: 0, text: '' }

  /** Sequence number of the last event. */
  get seq(): number {
    return this.state?.seq ?? 0
  }

  /** Applies an event once. Known events are ignored, so a restarted stream is safe. */
  apply(item: RunEvent | LiveText): void {
    if (item.type === 'live.text') return this.write(item)
    if (item.seq <= this.seq) return
    this.state = applyEvent(this.state, item)
    this.events.push(item)
    if (item.type === 'answer.delta') this.write(item)
    if (item.type === 'call.finished') add(this.calls, item.key, item)
    if (item.type === 'turn.finished') add(this.calls, item.key, callOfTurn(item))
    if (item.type === 'call.answered') this.answer(item)
    if (item.type === 'job.settled') this.ended.set(item.key, Date.parse(item.at))
    if (item.type === 'approval.requested') this.asked.set(item.approvalId, item)
    // The text beside the call is out of date.
    if (item.type === 'approval.decided') this.live = { ...this.live, text: '' }
  }

  /** Returns undefined before the first event. Returns a new object each time, since views are compared by identity. */
  view(): RunView | undefined {
    const { state, events, calls, ended, asked, live } = this
    if (state === undefined) return undefined
    return {
      state,
      events,
      calls,
      ended,
      asked,
      text: state.answer?.text ?? live.text,
      isOver: isOver(state),
      answered: outcomeOf(state),
      status: state.status === 'running' && state.openApprovals.size > 0 ? 'waiting' : state.status,
    }
  }

  private answer({ key, turn, index, text, error }: Extract<RunEvent, { type: 'call.answered' }>): void {
    const calls = this.calls.get(key) ?? []
    const at = calls.findLastIndex((call) => call.turn?.number === turn)
    const call = calls[at]
    if (call?.turn === undefined) return
    const answered = call.turn.calls.map((one, i) =>
      i === index ? { ...one, result: text, isError: error !== undefined } : one,
    )
    calls[at] = { ...call, turn: { ...call.turn, calls: answered } }
  }

  /** A piece may arrive twice, live and from the log. A new part means that the answer starts over. */
  private write({ part, offset, text }: Pick<LiveText, 'part' | 'offset' | 'text'>): void {
    if (part < this.live.part) return
    const before = part > this.live.part ? '' : this.live.text
    // After a gap, the stored pieces follow. Known text adds nothing.
    const isNew = offset <= before.length && offset + text.length > before.length
    this.live = { part, text: isNew ? before.slice(0, offset) + text : before }
  }
}

/** Same outcome as in run lists and the dashboard. Only computed once the run has ended. */
function outcomeOf(state: RunState): RunView['answered'] {
  if (!isOver(state)) return 'all'
  const { isAnswered, unanswered } = answeredOf(state)
  return !isAnswered ? 'nothing' : unanswered.length > 0 ? 'partly' : 'all'
}

function add<T>(map: Map<string, T[]>, key: string, value: T): void {
  const list = map.get(key)
  if (list === undefined) map.set(key, [value])
  else list.push(value)
}

function callOfTurn(event: TurnFinished): Call {
  const { key, turn, at, seq, latencyMs, reply, ...rest } = event
  const { error, model, usage, provenance } = rest
  const parts = reply?.parts ?? []
  const text = parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('')
  const calls = parts.flatMap((part) => (part.type === 'tool-call' ? [{ name: part.name, input: part.input }] : []))
  const call = {
    path: `${key}@${turn}#${seq}`,
    kind: 'model',
    name: `turn ${turn}`,
    at,
    latencyMs,
    provenance,
  } as const
  return {
    ...call,
    ...(error === undefined ? {} : { error }),
    ...(model === undefined ? {} : { model }),
    ...(usage === undefined ? {} : { usage }),
    turn: { number: turn, text, calls },
  }
}
