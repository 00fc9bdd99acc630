import { omitUndefined } from '../shared/omit-undefined.ts'
import type { ErrorInfo } from './errors.ts'
import type { EventBody } from './events.ts'
import type { Provenance } from './provenance.ts'
import type { CallPosition } from './transcript.ts'

/** The job and attempt that started an irreversible call. */
export interface EffectOrigin {
  readonly key: string
  readonly tool: string
  readonly attempt: number
  /** How often its job had been repeated because of a user's instructions, at that time. */
  readonly redos: number
  /** The exact input, secrets masked. */
  readonly payload?: unknown
  /** Path of an interrupted call that this one replaces, with the permission of a user or of its tool. */
  readonly insteadOf?: string
}

/** A call's path without scope, ordinal and position: equal for the same tool and input in every job. */
export function callWithin(scope: string, path: string): string {
  return path.slice(scope.length).replace(/(?:#\d+|@\d+\.\d+)$/, '')
}

/** The path of a call of a transcript: the same in all attempts of its job. */
export function positionPath(key: string, call: string, { turn, index }: CallPosition): string {
  return `${key}/${call}@${turn}.${index}`
}

/** Whether a path is that of the call at this position of its job's transcript. */
export function isPathAt(path: string, { turn, index }: CallPosition): boolean {
  return path.endsWith(`@${turn}.${index}`)
}

/** The step, that is the job and turn, that a call of a transcript belongs to; undefined for other calls. */
export function stepOfPath(key: string, path: string): string | undefined {
  const turn = turnOfPath(path)
  return turn === undefined ? undefined : `${key}@${turn}`
}

/** The turn that requested a call of a transcript; undefined for other calls. */
export function turnOfPath(path: string): number | undefined {
  const turn = /@(\d+)\.\d+$/.exec(path)?.[1]
  return turn === undefined ? undefined : Number(turn)
}

/** A call's path without the attempt: the same for all attempts of its job. */
export function pathInJob(key: string, path: string): string {
  return `${key}${path.slice(path.indexOf('/', key.length))}`
}

/** The state of an irreversible call, from the log. */
export type EffectState = { readonly origin: EffectOrigin } & (
  | {
      readonly state: 'intended'
      readonly idempotencyKey: string
      /** How often the call was started; more than once if a user allowed its repetition after a crash. */
      readonly times: number
    }
  | { readonly state: 'done'; readonly output?: unknown; readonly error?: ErrorInfo; readonly provenance?: Provenance }
)

export function intendedEffect(
  before: EffectState | undefined,
  job: { readonly attempt: number; readonly redos?: number } | undefined,
  event: Extract<EventBody, { type: 'effect.intended' }>,
): EffectState {
  const { key, tool, payload, idempotencyKey } = event
  const { attempt, redos = 0 } = job ?? { attempt: 1 }
  // Recorded once; a repetition of the call keeps it.
  const insteadOf = event.insteadOf ?? before?.origin.insteadOf
  const origin: EffectOrigin = {
    key,
    tool,
    attempt,
    redos,
    ...omitUndefined({ payload, insteadOf }),
  }
  return { state: 'intended', origin, idempotencyKey, times: before?.state === 'intended' ? before.times + 1 : 1 }
}

export function doneEffect(
  before: EffectState | undefined,
  { key, output, error, provenance }: Extract<EventBody, { type: 'effect.done' }>,
): EffectState {
  return {
    state: 'done',
    // Always there, but in a log that was written by hand.
    origin: before?.origin ?? { key, tool: '', attempt: 1, redos: 0 },
    ...omitUndefined({ output, error, provenance }),
  }
}
