import type { ActorContext } from '../../domain/actor.ts'
import type { Transcript, TranscriptOpening } from '../../domain/transcript-port.ts'
import { toTuttiError } from '../../domain/errors.ts'
import { isObject } from '../../shared/json.ts'
import { createSecrets, secretsIn } from '../../domain/secrets.ts'
import type { Tool } from '../../domain/tool.ts'
import { textOfMessage, userMessage } from '../../domain/turn.ts'
import { callsIn, type WatchedCall } from '../../tool-loop/watched-calls.ts'

/** The work of an agent in an attempt, as far as its result rests on it. */
export interface Watched {
  /** The agent's door, through which it is watched. */
  readonly ctx: ActorContext
  /** All calls so far, including those of earlier attempts in the same transcript. */
  calls(): readonly WatchedCall[]
  /** Whether a model had a part in it. */
  readonly isWorded: boolean
}

/**
 * Wraps an agent's context and records its calls.
 * @param about is put before each of its prompts
 * @param isJudged the agent's text is reviewed first, so it is not shown while it is written
 */
export function watch(ctx: ActorContext, about: string | undefined, isJudged: boolean): Watched {
  const own: WatchedCall[] = []
  const flags = { isWorded: false, isOpen: false }
  const secrets = createSecrets(secretsIn(ctx.request.context))
  const redact = (value: unknown): string => secrets.text(JSON.stringify(value) ?? 'nothing')
  const saw = (call: string, result: string, isFailed = false): void => {
    own.push({ call, result, isFailed })
  }
  const ask: ActorContext['ask'] = async (prompt, input, settings = {}) => {
    const { streamAnswer, ...others } = settings
    const live = isJudged || streamAnswer === undefined ? {} : { streamAnswer }
    const answered = await ctx.ask(prompt, input, { ...others, ...live, ...(about === undefined ? {} : { about }) })
    flags.isWorded ||= answered.by === 'model'
    return answered
  }
  const call = async <I, O, P>(tool: Tool<I, O, P>, input: I): Promise<O> => {
    const label = `${tool.name} ${redact(withoutFields(input, tool.secretFields))}`
    try {
      const output = await ctx.call(tool, input)
      saw(label, redact(output))
      return output
    } catch (thrown) {
      saw(label, toTuttiError(thrown).message, true)
      throw thrown
    }
  }
  const transcript: Pick<Transcript, 'open' | 'turn'> = {
    async open(begin) {
      const state = await ctx.transcript.open(async () => withContext(await begin(), about))
      flags.isOpen = true
      flags.isWorded ||= state.turns.length > 0
      return state
    },
    async turn(settings) {
      const { stream: _stream, ...unstreamed } = settings
      const turn = await ctx.transcript.turn(isJudged ? unstreamed : settings)
      flags.isWorded = true
      return turn
    },
  }
  const inTranscript = (): readonly WatchedCall[] => {
    return flags.isOpen ? callsIn([...ctx.transcript.earlier, ctx.transcript.state], secrets.text) : []
  }
  const door = derived<ActorContext>(ctx, { ask, call, transcript: derived(ctx.transcript, transcript) })
  return Object.assign(flags, { ctx: door, calls: () => [...inTranscript(), ...own] })
}

function derived<T extends object>(base: T, own: Partial<T>): T {
  return Object.create(base, Object.getOwnPropertyDescriptors(own)) as T
}

/** The text is put before the task, which is the last message. */
function withContext(opening: TranscriptOpening, about: string | undefined): TranscriptOpening {
  const { messages } = opening
  const last = messages.at(-1)
  if (about === undefined || last?.role !== 'user') return opening
  const files = last.parts.filter(({ type }) => type === 'file')
  const task = userMessage(`${about}\n\n${textOfMessage(last)}`)
  return { ...opening, messages: [...messages.slice(0, -1), { ...task, parts: [...task.parts, ...files] }] }
}

function withoutFields(input: unknown, fields: readonly string[] = []): unknown {
  if (fields.length === 0 || !isObject(input)) return input
  return Object.fromEntries(Object.entries(input).filter(([name]) => !fields.includes(name)))
}
