import type { Clock } from '../../shared/clock.ts'
import { toTuttiError, TuttiError } from '../../domain/errors.ts'
import type { DescriptionOutcome, KnowledgeStore, Undescribed } from '../types.ts'
import { trimDescription, trimTopics, BEGINNING_CHARACTERS, type DescribeInput } from './describe.ts'

/** A claim on a document expires after this time, so that another process can take it. */
const CLAIM_MS = 300_000
/** A model call that takes longer is aborted. */
const MODEL_TIMEOUT_MS = 120_000
/** Delay after a failure; each further failure multiplies it by four. */
const RETRY_MS = 60_000
const LIMIT_RETRY_MS = 3_600_000
/** Maximum number of chunks searched for headings. */
const TELLING_CHUNKS = 200
const MAX_HEADINGS = 40

/**
 * Describes a document with a model.
 * @throws TuttiError `LimitReached` if the owner has used up their limit; any other error of the model
 */
export type DescribeByModel = (
  of: Pick<Undescribed, 'owner' | 'record'>,
  input: DescribeInput,
  signal: AbortSignal,
) => Promise<{ readonly description: string; readonly topics: readonly string[] }>

export interface DescribingParts {
  readonly store: KnowledgeStore
  readonly clock: Clock
  readonly describe: DescribeByModel
  readonly onTrouble: (error: TuttiError) => void
}

/**
 * Describes documents one after the other, of one owner or of all, until none can be claimed. Several processes may do
 * this on the same store. A document interrupted by the signal can be claimed again.
 * @param onDone called with the name of each document
 * @returns the number of described documents
 */
export async function describePending(
  parts: DescribingParts,
  signal: AbortSignal,
  { owner, onDone }: { readonly owner?: string; readonly onDone?: (name: string) => void } = {},
): Promise<number> {
  const { store, clock } = parts
  let count = 0
  while (!signal.aborted) {
    const now = clock.now()
    const claimed = await store.claimUndescribed(now, now + CLAIM_MS, owner)
    if (claimed === undefined) break
    const outcome = await describeOne(parts, claimed, signal)
    await store.settleDescription(claimed.owner, claimed.record.documentId, outcome)
    if ('isModelDown' in outcome) break
    if (!('description' in outcome)) continue
    count++
    onDone?.(claimed.record.name)
  }
  return count
}

async function describeOne(
  { store, clock, describe, onTrouble }: DescribingParts,
  claimed: Undescribed,
  stop: AbortSignal,
): Promise<DescriptionOutcome & { readonly isModelDown?: true }> {
  const late = new AbortController()
  const cancel = clock.timer(MODEL_TIMEOUT_MS, () =>
    late.abort(new TuttiError('Timeout', 'The model took too long.', { retryable: true })),
  )
  try {
    const input = await inputFor(store, claimed)
    const { description, topics } = await describe(claimed, input, AbortSignal.any([stop, late.signal]))
    return { description: trimDescription(description) || claimed.record.description, topics: trimTopics(topics) }
  } catch (thrown) {
    const now = clock.now()
    if (stop.aborted) return { again: now, isUntried: true }
    const error = toTuttiError(thrown)
    if (error.code === 'LimitReached') return { again: now + LIMIT_RETRY_MS, isUntried: true }
    onTrouble(new TuttiError(error.code, `${claimed.record.name} is described by rules for now: ${error.message}`))
    const note = `Its description was made by rules, since the model failed: ${error.message}`
    const again = now + RETRY_MS * 4 ** (claimed.tries - 1)
    // The next document would fail, too.
    return { again, ...(claimed.isLastTry ? { note } : {}), ...(error.retryable ? { isModelDown: true } : {}) }
  } finally {
    cancel()
  }
}

/** Builds the input for the description of a stored document. */
async function inputFor(store: KnowledgeStore, { owner, record }: Undescribed): Promise<DescribeInput> {
  const { documentId, name, type, pages } = record
  const [beginning = '', chunks] = await Promise.all([
    store.text(owner, documentId, 0, BEGINNING_CHARACTERS),
    store.chunks(owner, documentId, 0, TELLING_CHUNKS - 1),
  ])
  const sections = chunks.flatMap(({ section }) => section?.split(' › ') ?? [])
  return {
    name,
    type,
    headings: [...new Set(sections)].slice(0, MAX_HEADINGS),
    ...(pages === undefined ? {} : { pages }),
    characters: Math.max(beginning.length, ...chunks.map(({ end }) => end)),
    beginning,
  }
}
