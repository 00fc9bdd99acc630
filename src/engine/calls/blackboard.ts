import type { ActorContext } from '../../domain/actor.ts'
import { type Artifacts, artifactValuesIn, valueAt } from '../../domain/artifacts.ts'
import { TuttiError } from '../../domain/errors.ts'
import type { EventBody } from '../../domain/events.ts'
import { combine } from '../../domain/provenance.ts'
import { plainCopy } from '../log/plain-json.ts'
import type { ActorCall } from './actor-call.ts'
import type { Attempt } from './attempt.ts'

const LAST_MESSAGES = 5

interface Blackboard {
  readonly said: Pick<ActorContext, 'shared' | 'send' | 'messages'>
  readonly artifacts: Pick<Artifacts, 'values' | 'open'>
}

/**
 * Communication between actors: blackboard, messages, large values. Writes are logged with the job's result, so failed
 * attempts and attempts repeated after a crash leave nothing. Reads add labels to the job.
 */
export function blackboardOf(call: ActorCall, attempt: Attempt): Blackboard {
  const { host, job, actor } = call
  const { state } = host
  const emit = (event: EventBody): void => {
    attempt.assertAlive()
    call.emitted.push(plainCopy(event, `What ${job.key} says`))
  }
  /** The large values; reading their names and beginnings adds their labels. */
  const known = (): ReturnType<Artifacts['values']> => {
    const found = artifactValuesIn(state)
    for (const { ref } of found) call.addReadLabels(valueAt(state, ref)?.provenance)
    return found
  }
  return {
    said: {
      shared: {
        // A name is a text, too.
        names() {
          for (const { provenance } of state.shared.values()) call.addReadLabels(provenance)
          return [...state.shared.keys()]
        },
        get(name) {
          const entry = state.shared.get(name)
          call.addReadLabels(entry?.provenance)
          return entry === undefined ? undefined : plainCopy(entry.value, `"${name}"`)
        },
        set(name, value, provenance) {
          const labels = { key: job.key, by: actor.name, provenance: combine([call.provenance, provenance]) }
          emit({ type: 'shared.set', name, value, ...labels })
        },
      },
      send(to, kind, content) {
        emit({ type: 'message', key: job.key, from: actor.name, to, kind, content, provenance: call.provenance })
      },
      messages(max = LAST_MESSAGES) {
        const received = state.messages.filter(
          ({ to, key }) => (to === actor.name || to === 'all') && state.jobs.get(key)?.supersededBy === undefined,
        )
        const last = max > 0 ? received.slice(-max) : []
        for (const { provenance } of last) call.addReadLabels(provenance)
        return last
      },
    },
    artifacts: {
      values: known,
      open(ref) {
        const found = valueAt(state, ref)
        if (found === undefined) {
          const refs = known().map((one) => one.ref)
          throw new TuttiError(
            'ArtifactNotFound',
            `There is no value "${ref}" in this run. There is: ${refs.join(', ') || 'none'}.`,
          )
        }
        call.addReadLabels(found.provenance)
        return plainCopy(found.value, `"${ref}"`)
      },
    },
  }
}
