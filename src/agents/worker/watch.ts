import type { ActorContext } from '../../core/actor.ts'
import { toTuttiError } from '../../core/errors.ts'
import { isObject } from '../../core/outside.ts'
import { createSecrets, secretsIn } from '../../core/secrets.ts'
import type { Output } from '../answers/grounds.ts'

/** What an agent did in an attempt, as far as its result rests on it. */
export interface Watched {
  /** The agent's door, through which it is watched. */
  readonly ctx: ActorContext
  /** What its tools gave back, and what it did with those that change something. */
  readonly outputs: readonly Output[]
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
  const seen = { outputs: [] as Output[], calls: [] as string[], isWorded: false }
  const secrets = createSecrets(secretsIn(ctx.request.context))
  const shown = (value: unknown): string => secrets.text(JSON.stringify(value) ?? 'nothing')
  const saw = (call: string, output: unknown): void => {
    seen.outputs.push({ value: output })
    seen.calls.push(`${call} gave ${shown(output)}`)
  }
  const ask: ActorContext['ask'] = async (prompt, input, settings = {}) => {
    const { streamAnswer, ...others } = settings
    const live = isJudged || streamAnswer === undefined ? {} : { streamAnswer }
    const answered = await ctx.ask(prompt, input, { ...others, ...live, ...(about === undefined ? {} : { about }) })
    seen.isWorded ||= answered.by === 'model'
    return answered
  }
  const call: ActorContext['call'] = async (tool, input) => {
    const said = `${tool.name} with ${shown(withoutFields(input, tool.secretFields))}`
    try {
      const output = await ctx.call(tool, input)
      saw(said, output)
      if (tool.effect !== 'read') seen.outputs.push({ value: input })
      return output
    } catch (thrown) {
      seen.calls.push(`${said} failed: ${toTuttiError(thrown).message}`)
      throw thrown
    }
  }
  const http: ActorContext['http'] = async (request) => {
    const reply = await ctx.http(request)
    // Headers and parameters may prove who asks.
    saw(`${request.method ?? 'GET'} ${request.url.split('?', 1)[0]}`, { status: reply.status, text: reply.text })
    return reply
  }
  const door = Object.create(ctx, Object.getOwnPropertyDescriptors({ ask, call, http })) as ActorContext
  return Object.assign(seen, { ctx: door })
}

function withoutFields(input: unknown, fields: readonly string[] = []): unknown {
  if (fields.length === 0 || !isObject(input)) return input
  return Object.fromEntries(Object.entries(input).filter(([name]) => !fields.includes(name)))
}
