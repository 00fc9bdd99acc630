import type { Agent } from '../../domain/actor.ts'
import { TuttiError } from '../../domain/errors.ts'
import type { RunEvent } from '../../domain/events.ts'
import type { ModelPort } from '../../domain/model.ts'
import type { Cassette } from '../../evaluation/cassette/format.ts'
import { cassetteOf } from '../../evaluation/cassette/record.ts'
import { MEMORY_ACTORS } from '../../strategies/memory-jobs.ts'
import { toolkitIn } from './agents.ts'
import { replay } from './replay.ts'

/**
 * A run as a cassette, which has been replayed once.
 * @param events as its owner sees them, without secrets
 * @throws TuttiError `InvalidRequest` for a run that this version does not replay alike, with the differences
 */
export async function exportCassette(
  events: readonly RunEvent[],
  { agents, models }: { readonly agents: readonly Agent[]; readonly models: Pick<ModelPort, 'contextWindow'> },
): Promise<Cassette> {
  const cassette = cassetteOf(events, {
    agents,
    leftOut: new Set(MEMORY_ACTORS),
    contextWindow: (ref) => models.contextWindow?.(ref),
    toolkitIn,
  })
  const { differences } = await replay(cassette)
  if (differences.length === 0) return cassette
  const message = `The run cannot be exported, since its replay differs (${differences.length}). The first difference: ${differences[0]}`
  throw new TuttiError('InvalidRequest', message)
}
