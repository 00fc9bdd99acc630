import { isModelCall, type NewEvent } from './events.ts'
import type { Usage } from './usage.ts'

/** An actor that started a job in a run, or a model that answered in it. Runs can be searched by them. */
export interface RunPart {
  readonly kind: 'agent' | 'model'
  readonly name: string
}

/** Database keys have a maximum length, but model names do not: longer names are matched by their beginning. */
const MAX_NAME_CHARS = 300

export function partName(name: string): string {
  return name.slice(0, MAX_NAME_CHARS)
}

/**
 * Whether the model never answered a call, for example because the server is down or refuses the key. It then does not
 * count as used.
 */
export function isUnanswered({ by, usage }: { readonly by?: string; readonly usage?: Usage | undefined }): boolean {
  // A call that may have been processed has a usage, which is empty if the provider reports none.
  return by === 'fallback' && usage === undefined
}

/** The model that a call used. */
export function usesModel(event: NewEvent): string | undefined {
  return isModelCall(event) && !isUnanswered(event) ? event.model : undefined
}

/** The part that an event adds to its run. Stores, lists and sums all use this function. */
export function partOf(event: NewEvent): RunPart | undefined {
  if (event.type === 'job.started') return { kind: 'agent', name: partName(event.actor) }
  const model = usesModel(event)
  return model === undefined ? undefined : { kind: 'model', name: partName(model) }
}

/** All of them, each once. */
export function runParts(events: readonly NewEvent[]): readonly RunPart[] {
  const parts = events.flatMap((event) => partOf(event) ?? [])
  return [...new Map(parts.map((part) => [`${part.kind} ${part.name}`, part])).values()]
}
