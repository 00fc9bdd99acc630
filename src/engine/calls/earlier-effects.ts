import type { RunState } from '../../domain/state.ts'

/** The relation of a call to calls that its job made, or may have made, before. */
export type Earlier =
  /** It is this very call. */
  | { readonly kind: 'same'; readonly path: string }
  /** It replaces another call; `isRetry` if a retry made it, which then uses that call's outcome. */
  | { readonly kind: 'other'; readonly path: string; readonly isRetry: boolean }
  /** Each of the earlier calls has come back already; this is one more. */
  | { readonly kind: 'besides'; readonly paths: readonly string[] }

/** The irreversible calls of the attempts that a job replaces. */
function replacedEffects({ jobs }: Pick<RunState, 'jobs'>, key: string): string[] {
  const before = jobs.get(key)?.replaces
  return before === undefined ? [] : [...replacedEffects({ jobs }, before), ...(jobs.get(before)?.effects ?? [])]
}

interface Place {
  path: string
  readonly tool: string
  payload: unknown
  attempt: number
  redos: number
  claimed?: 'same' | 'other'
}

/**
 * The irreversible calls in a job's log when its actor's code starts, for the first time or again. A model that is
 * asked again words its call differently, so calls are matched by position: the first call of a tool matches the first
 * one of the previous attempt, the second the second.
 */
export class EarlierEffects {
  private readonly places: Place[] = []
  /** Includes calls that were replaced by others. */
  private byPath: Map<string, Place> | undefined
  private readonly attempt: number
  private readonly redos: number

  constructor(state: RunState, key: string, attempt: number) {
    const { jobs, effects } = state
    this.attempt = attempt
    this.redos = jobs.get(key)?.redos ?? 0
    const own = jobs.get(key)?.effects ?? []
    // For calls of an attempt that this job replaces, a repetition needs approval.
    for (const path of [...replacedEffects(state, key), ...own]) {
      const { origin } = effects.get(path)!
      const { tool, payload, insteadOf } = origin
      const replaced = insteadOf === undefined ? undefined : this.byPath?.get(insteadOf)
      const place: Place = replaced ?? { path, tool, payload, attempt: 0, redos: 0 }
      const redos = own.includes(path) ? origin.redos : -1
      Object.assign(place, { path, payload, attempt: origin.attempt, redos })
      if (replaced === undefined) this.places.push(place)
      this.byPath ??= new Map()
      this.byPath.set(path, place)
    }
  }

  /**
   * Finds the earlier call that this call repeats. Undefined for a first call, or for the next one after an
   * interruption.
   * @param isSamePlace whether an earlier call of the tool, by its input, had the same destination
   */
  match(tool: string, path: string, isSamePlace: (payload: unknown) => boolean = () => true): Earlier | undefined {
    const known = this.byPath?.get(path)
    if (known !== undefined) {
      known.claimed ??= 'same'
      return known.path === path ? { kind: 'same', path } : { kind: 'other', path: known.path, isRetry: true }
    }
    const sameTool = this.places.filter((place) => place.tool === tool)
    const free = sameTool.filter((place) => place.claimed === undefined && isSamePlace(place.payload))
    const next = free.find((place) => this.isRetryOf(place)) ?? free[0]
    if (next !== undefined) {
      next.claimed = 'other'
      return { kind: 'other', path: next.path, isRetry: this.isRetryOf(next) }
    }
    // Cut off in this attempt and gone through word for word until here: it continues.
    const isContinuation = sameTool.every((place) => place.claimed === 'same' && place.attempt === this.attempt)
    return isContinuation ? undefined : { kind: 'besides', paths: sameTool.map((place) => place.path) }
  }

  /** A user's instructions change a job's task, so calls made for the previous task do not count for this one. */
  private isRetryOf({ attempt, redos }: Place): boolean {
    return attempt < this.attempt && redos === this.redos
  }
}
