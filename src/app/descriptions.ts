import { isUnanswered } from '../domain/store.ts'
import { LOCAL_OWNER } from '../domain/events.ts'
import { toTuttiError, TuttiError } from '../domain/errors.ts'
import { describeDocument } from '../documents/ingest/describe.ts'
import { describePending, type DescribeByModel } from '../documents/ingest/describe-pending.ts'
import { readerOf } from '../documents/collections.ts'
import type { AppParts } from './app-parts.ts'

const POLL_INTERVAL_MS = 60_000
const MILLION = 1_000_000
/** Budget of one description, far above the size of its prompt and answer. */
const BUDGET = { tokens: { atMost: 20_000 }, cost: { atMost: MILLION / 4 } } as const

/** Descriptions of documents by a model, in the background: answers do not wait for them. */
export type Descriptions = ReturnType<typeof openDescriptions>

type Parts = Pick<AppParts, 'options' | 'knowledge' | 'models' | 'people'>

export function openDescriptions(parts: Parts, hasModel: boolean) {
  const { knowledge } = parts
  const { clock, onTrouble } = parts.options
  const { store } = knowledge
  const making = { store, clock, describe: describer(parts), onTrouble }
  const stop = new AbortController()
  let cancel: (() => void) | undefined
  let working: Promise<void> | undefined
  let isAskedAgain = false
  const look = async (): Promise<void> => {
    do {
      isAskedAgain = false
      if (knowledge.hasDocuments) {
        await describePending(making, stop.signal).catch((thrown: unknown) => onTrouble(toTuttiError(thrown)))
      }
    } while (isAskedAgain && !stop.signal.aborted)
    working = undefined
    if (!stop.signal.aborted) cancel = clock.timer(POLL_INTERVAL_MS, begin)
  }
  const begin = (): void => {
    working = look()
  }
  return {
    /** Whether there is a model that makes them. */
    isOn: hasModel,
    /**
     * Creates the missing descriptions of one owner, and returns their number; the rest is created later if the signal
     * aborts.
     */
    async pending(owner: string, signal: AbortSignal, onDone?: (name: string) => void): Promise<number> {
      if (!hasModel || !knowledge.hasDocuments) return 0
      return describePending(making, signal, { owner, ...(onDone === undefined ? {} : { onDone }) })
    },
    /** Creates descriptions for all owners in the background, until `close`. */
    work(): void {
      if (hasModel && working === undefined && cancel === undefined) begin()
    },
    /** Looks for documents now rather than within a minute; does nothing unless `work` was called. */
    soon(): void {
      if (working !== undefined) isAskedAgain = true
      else if (cancel !== undefined && !stop.signal.aborted) {
        cancel()
        begin()
      }
    },
    async close(): Promise<void> {
      stop.abort(new TuttiError('Cancelled', 'Stopped; descriptions are made later.'))
      cancel?.()
      await working
    },
  }
}

/**
 * Uses the model of the actor `describer`, outside of any run and its budget. The usage counts towards the limits of
 * the document's owner.
 */
function describer({ models, people, options: { clock } }: Parts): DescribeByModel {
  return async ({ owner: scope, record: { documentId } }, input, signal) => {
    // Shared collections have no user as owner; the installation pays for them.
    const owner = readerOf(scope) === '' ? LOCAL_OWNER : scope
    const id = `description ${documentId} ${clock.now()}`
    const isLimited = owner !== LOCAL_OWNER
    if (isLimited)
      await people.quotas.reserve(id, { userId: owner, groups: await people.groups.groupIdsOf(owner) }, BUDGET)
    let used = { tokens: 0, cost: 0 }
    try {
      const reserve = () => () => undefined
      const answered = await models.ask(describeDocument, input, { actor: 'describer', models: {}, signal, reserve })
      const { value, by, reason, model, usage, requests } = answered
      const { inputTokens = 0, outputTokens = 0, costUsd = 0 } = usage ?? {}
      used = { tokens: inputTokens + outputTokens, cost: Math.ceil(costUsd * MILLION) }
      const day = new Date(clock.now()).toISOString().slice(0, 10)
      if (!isUnanswered({ by, usage }))
        await people.usage.keepCall(id, { owner, day, model: model ?? 'unknown', usage, requests })
      if (by === 'model') return value
      throw new TuttiError('ModelUnavailable', reason ?? 'no model answered', { retryable: true })
    } finally {
      if (isLimited) await people.quotas.settle(id, used)
    }
  }
}
