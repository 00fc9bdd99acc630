import type { ActorContext } from '../../core/actor.ts'
import type { Transcript, TranscriptOpening } from '../../core/transcript-port.ts'
import { toTuttiError } from '../../core/errors.ts'
import { isObject } from '../../core/outside.ts'
import { createSecrets, secretsIn } from '../../core/secrets.ts'
import type { Tool } from '../../core/tool.ts'
import { handleOf } from '../../core/transcript.ts'
import { textOfMessage, toolCallsOf, userMessage } from '../../core/turn.ts'

/** What an agent did in an attempt, as far as its result rests on it. */
export interface Watched {
  /** The agent's door, through which it is watched. */
  readonly ctx: ActorContext
  /** What it called, and what that came to, as a reader would be told. */
  readonly calls: readonly string[]
  /** Whether a model had a part in it. */
  readonly isWorded: boolean
}

/**
 * The same door with a watcher at it.
 * @param about is put before each of its prompts
 * @param isJudged what it words is looked at first, and not shown while it is written
 */
export function watch(ctx: ActorContext, about: string | undefined, isJudged: boolean): Watched {
  const seen = { calls: [] as string[], isWorded: false }
  const secrets = createSecrets(secretsIn(ctx.request.context))
  const shown = (value: unknown): string => secrets.text(JSON.stringify(value) ?? 'nothing')
  const saw = (call: string, output: unknown): void => {
    seen.calls.push(`${call} gave ${shown(output)}`)
  }
  const ask: ActorContext['ask'] = async (prompt, input, settings = {}) => {
    const { streamAnswer, ...others } = settings
    const live = isJudged || streamAnswer === undefined ? {} : { streamAnswer }
    const answered = await ctx.ask(prompt, input, { ...others, ...live, ...(about === undefined ? {} : { about }) })
    seen.isWorded ||= answered.by === 'model'
    return answered
  }
  const watched = async <I, O, P>(tool: Tool<I, O, P>, input: I, made: Promise<O>): Promise<O> => {
    const said = `${tool.name} with ${shown(withoutFields(input, tool.secretFields))}`
    try {
      const output = await made
      saw(said, output)
      return output
    } catch (thrown) {
      seen.calls.push(`${said} failed: ${toTuttiError(thrown).message}`)
      throw thrown
    }
  }
  const call: ActorContext['call'] = (tool, input) => watched(tool, input, ctx.call(tool, input))
  const http: ActorContext['http'] = async (request) => {
    const reply = await ctx.http(request)
    // Headers and parameters may prove who asks.
    saw(`${request.method ?? 'GET'} ${request.url.split('?', 1)[0]}`, { status: reply.status, text: reply.text })
    return reply
  }
  /** Calls that an earlier attempt, job or process made in the transcript; the agent does not make them again. */
  const recall = (): void => {
    const transcripts = [...ctx.transcript.earlier, ctx.transcript.state]
    const turns = transcripts.flatMap((one) => one.turns.map((turn, at) => ({ ...turn, one, number: at + 1 })))
    seen.isWorded ||= turns.length > 0
    for (const { message, answers, one, number } of turns) {
      for (const [index, { name, input }] of toolCallsOf(message).entries()) {
        const answer = answers.get(index)
        const output = ctx.transcript.recall(handleOf(one, { turn: number, index }))?.output
        if (answer?.error !== undefined) seen.calls.push(`${name} with ${shown(input)} failed: ${answer.error.message}`)
        else if (answer !== undefined && output !== undefined) saw(`${name} with ${shown(input)}`, output)
      }
    }
  }
  const transcript: Pick<Transcript, 'open' | 'turn' | 'call'> = {
    async open(begin) {
      const state = await ctx.transcript.open(async () => withContext(await begin(), about))
      recall()
      return state
    },
    async turn(settings) {
      const { stream: _stream, ...unstreamed } = settings
      const turn = await ctx.transcript.turn(isJudged ? unstreamed : settings)
      seen.isWorded = true
      return turn
    },
    call: (tool, input, position, turnToRun) =>
      watched(tool, input, ctx.transcript.call(tool, input, position, turnToRun)),
  }
  const own = { ask, call, http, transcript: derived(ctx.transcript, transcript) }
  const door = derived<ActorContext>(ctx, own)
  return Object.assign(seen, { ctx: door })
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
