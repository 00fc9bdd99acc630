import { isUnanswered } from '../domain/store.ts'
import { LOCAL_OWNER } from '../domain/events.ts'
import { toTuttiError, TuttiError } from '../domain/errors.ts'
import { describeDocument, trimDescription, trimTopics, BEGINNING_CHARACTERS } from '../documents/ingest/describe.ts'
import type { DescribeInput } from '../documents/ingest/describe.ts'
import { readerOf } from '../documents/collections.ts'
import type { Described, DocumentRecord, KnowledgeStore } from '../documents/types.ts'
import type { AppParts } from './app-parts.ts'

const MILLION = 1_000_000
/** Budget of one description, far above the size of its prompt and answer. */
const BUDGET = { tokens: { atMost: 20_000 }, cost: { atMost: MILLION / 4 } } as const
/** Maximum number of chunks searched for headings. */
const TELLING_CHUNKS = 200
const MAX_HEADINGS = 40

/** Descriptions of documents by a model, in the background: answers do not wait for them. */
export type Descriptions = ReturnType<typeof openDescriptions>

type Parts = Pick<AppParts, 'options' | 'knowledge' | 'models' | 'people'>

/**
 * Describes documents of the library, one after the other. After a failure the rule-based description stays.
 */
export function openDescriptions(parts: Parts, hasModel: boolean) {
  const { store } = parts.knowledge
  const { onError } = parts.options
  const stop = new AbortController()
  let waiting: { readonly owner: string; readonly record: DocumentRecord }[] = []
  let working: Promise<void> | undefined
  const describeWaiting = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const { owner, record } = next
      try {
        await store.describe(owner, record.documentId, await describe(parts, owner, record, stop.signal))
      } catch (thrown) {
        const { code, message, retryable } = toTuttiError(thrown)
        if (!stop.signal.aborted && code !== 'LimitReached')
          onError(new TuttiError(code, `${record.name} is described by its headings: ${message}`))
        // The model would fail for the others, too.
        if (retryable) waiting = []
      }
    }
    working = undefined
  }
  return {
    /** From now on, describes each document that is added to the library. */
    work(): void {
      if (!hasModel) return
      parts.knowledge.followAdded((owner, record) => {
        waiting.push({ owner, record })
        working ??= describeWaiting()
      })
    },
    /** Waits for the descriptions of the documents that were added. */
    async finish(): Promise<void> {
      await working
    },
    async close(): Promise<void> {
      waiting = []
      stop.abort(new TuttiError('Cancelled', 'Stopped.'))
      await working
    },
  }
}

/**
 * Uses the model of the actor `describer`, outside of any run and its budget. The usage counts towards the limits of
 * the document's owner.
 * @throws TuttiError `LimitReached` if the owner has used up their limit; any other error of the model
 */
async function describe(
  { knowledge, models, people, options: { clock } }: Parts,
  scope: string,
  record: DocumentRecord,
  signal: AbortSignal,
): Promise<Described> {
  // Shared collections have no user as owner; the installation pays for them.
  const owner = readerOf(scope) === '' ? LOCAL_OWNER : scope
  const id = `description ${record.documentId} ${clock.now()}`
  const isLimited = owner !== LOCAL_OWNER
  const input = await inputFor(knowledge.store, scope, record)
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
    if (by !== 'model') throw new TuttiError('ModelUnavailable', reason ?? 'no model answered', { retryable: true })
    return {
      description: trimDescription(value.description) || record.description,
      topics: trimTopics(value.topics),
    }
  } finally {
    if (isLimited) await people.quotas.settle(id, used)
  }
}

/** Builds the input for the description of a stored document. */
async function inputFor(
  store: KnowledgeStore,
  owner: string,
  { documentId, name, type }: DocumentRecord,
): Promise<DescribeInput> {
  const [beginning = '', chunks] = await Promise.all([
    store.text(owner, documentId, 0, BEGINNING_CHARACTERS),
    store.chunks(owner, documentId, 0, TELLING_CHUNKS - 1),
  ])
  const sections = chunks.flatMap(({ section }) => section?.split(' › ') ?? [])
  return {
    name,
    type,
    headings: [...new Set(sections)].slice(0, MAX_HEADINGS),
    beginning,
  }
}
