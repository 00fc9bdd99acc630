import { answeredOf, applyEvent, isOver, type LiveText, type RunEvent, type RunState } from '../../client/run.ts'

type CallFinished = Extract<RunEvent, { type: 'call.finished' }>
type TurnFinished = Extract<RunEvent, { type: 'turn.finished' }>

/** A call of a model or a tool that is over; of a turn, with its text and what it called. */
export interface Call
  extends
    Pick<CallFinished, 'path' | 'kind' | 'name' | 'at' | 'latencyMs' | 'error' | 'by' | 'reason' | 'model' | 'wording'>,
    Pick<CallFinished, 'usage' | 'provenance' | 'input' | 'output'> {
  readonly turn?: Turn
}

interface Turn {
  readonly number: number
  readonly text: string
  /** In the model's order; a result is there once the call was answered. */
  readonly calls: readonly {
    readonly name: string
    readonly input: unknown
    readonly result?: string
    readonly isError?: boolean
  }[]
}

type Note = Extract<RunEvent, { type: 'note' }>
export type ApprovalAsked = Extract<RunEvent, { type: 'approval.requested' }>

/** A run as its events tell it so far: the fold that the engine itself goes by, and what that does not keep for readers. */
export interface RunView {
  readonly state: RunState
  readonly events: readonly RunEvent[]
  /** Finished calls and notes of each job, in their order. */
  readonly calls: ReadonlyMap<string, readonly Call[]>
  readonly notes: ReadonlyMap<string, readonly Note[]>
  /** When each job was settled, in milliseconds since the epoch. */
  readonly ended: ReadonlyMap<string, number>
  readonly asked: ReadonlyMap<string, ApprovalAsked>
  /** What is written of the answer so far, or the answer. */
  readonly text: string
  readonly isOver: boolean
  /** As the run means a person: it waits while anything of it waits for them. */
  readonly status: RunState['status']
  /** Whether what was asked was answered, as far as the run says. */
  readonly answered: 'all' | 'partly' | 'nothing'
}

/** Takes in the events of one run, in whatever pieces they come, and gives what is to be shown. */
export class RunLog {
  private state: RunState | undefined
  private readonly events: RunEvent[] = []
  private readonly calls = new Map<string, Call[]>()
  private readonly notes = new Map<string, Note[]>()
  private readonly ended = new Map<string, number>()
  private readonly asked = new Map<string, ApprovalAsked>()
  private live = { part: 0, text: '' }

  /** The number of the last event that it has. */
  get seq(): number {
    return this.state?.seq ?? 0
  }

  /** Takes an event once; one that it has is passed over, so that a stream that begins again does no harm. */
  apply(item: RunEvent | LiveText): void {
    if (item.type === 'live.text') return this.write(item)
    if (item.seq <= this.seq) return
    this.state = applyEvent(this.state, item)
    this.events.push(item)
    if (item.type === 'answer.delta') this.write(item)
    if (item.type === 'call.finished') add(this.calls, item.key, item)
    if (item.type === 'turn.finished') add(this.calls, item.key, callOfTurn(item))
    if (item.type === 'call.answered') this.answer(item)
    if (item.type === 'note' && item.key !== undefined) add(this.notes, item.key, item)
    if (item.type === 'job.settled') this.ended.set(item.key, Date.parse(item.at))
    if (item.type === 'approval.requested') this.asked.set(item.approvalId, item)
  }

  /** Undefined before its first event. A new object each time: what is shown is compared by identity. */
  view(): RunView | undefined {
    const { state, events, calls, notes, ended, asked, live } = this
    if (state === undefined) return undefined
    return {
      state,
      events,
      calls,
      notes,
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

  /** A piece may come twice, live and from the log; a new part means that the answer starts over. */
  private write({ part, offset, text }: Pick<LiveText, 'part' | 'offset' | 'text'>): void {
    if (part < this.live.part) return
    const before = part > this.live.part ? '' : this.live.text
    // After a gap the kept pieces follow; what is known already adds nothing.
    const isNew = offset <= before.length && offset + text.length > before.length
    this.live = { part, text: isNew ? before.slice(0, offset) + text : before }
  }
}

/** The same as lists of runs and the dashboard say, and asked for once: while it continues there is nothing to say. */
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
  const about = {
    path: `${key}@${turn}#${seq}`,
    kind: 'model',
    name: `turn ${turn}`,
    at,
    latencyMs,
    provenance,
  } as const
  return {
    ...about,
    ...(error === undefined ? {} : { error }),
    ...(model === undefined ? {} : { model }),
    ...(usage === undefined ? {} : { usage }),
    turn: { number: turn, text, calls },
  }
}
