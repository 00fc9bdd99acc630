import { LOCAL_OWNER, type Owner } from '../domain/events.ts'
import type { Conversation } from '../domain/conversation.ts'
import { toTuttiError, TuttiError } from '../domain/errors.ts'
import type { RunRecord } from '../domain/store.ts'
import type { Engine } from '../engine/engine.ts'
import { deleteRun } from '../engine/run/delete-run.ts'
import { keepers } from '../storage/owned-rows.ts'
import type { Config } from './config/schema.ts'
import type { AppParts } from './app-parts.ts'

const DAY_MS = 86_400_000
const HOUR_MS = 3_600_000
/** Of one sweep; the next one continues. */
const MAX_PER_SWEEP = 1_000
const PAGE = 500

export interface RetentionParts extends Pick<
  AppParts,
  'options' | 'storage' | 'artifacts' | 'memory' | 'knowledge' | 'people'
> {
  readonly engine: Pick<Engine, 'state'>
}

/** Numbers of deleted items. */
export interface DeletionCounts {
  readonly runs: number
  readonly conversations: number
  readonly uploads: number
  /** Runs that are old enough but kept with their conversations, because they are running or wait for a user. */
  readonly waiting: number
}

/** Deletes data that is older than the configured age. Runs that wait for a user are kept at any age. */
export function openRetention(parts: RetentionParts) {
  const { clock, onError, config } = parts.options
  const days = config.retention
  const sweep = async (): Promise<DeletionCounts> => {
    const open = await openRuns(parts)
    const limitOf = (some: number | undefined): number => (some === undefined ? -Infinity : clock.now() - some * DAY_MS)
    const oldest = Math.max(limitOf(days.runDays), limitOf(days.conversationDays))
    return {
      runs: await sweepRuns(parts, limitOf(days.runDays)),
      conversations: await sweepConversations(parts, limitOf(days.conversationDays), open),
      uploads: await sweepUploads(parts, limitOf(days.uploadDays)),
      waiting: open.filter(({ updatedAt }) => updatedAt < oldest).length,
    }
  }
  const description = describeRetention(days)
  return {
    days,
    /** A description of what is deleted, and when; undefined if nothing is deleted by age. */
    description,
    /** Deletes data that is older than the configured age, once. */
    sweep,
    /** Sweeps now and every hour, in one process or many; the returned function stops it after the current sweep. */
    watch(onSwept: (swept: DeletionCounts) => void): () => Promise<void> {
      if (description === undefined) return async () => undefined
      let cancel = (): void => undefined
      let isOver = false
      let work: Promise<void>
      const again = (): void => {
        work = sweep()
          .then(onSwept, (thrown: unknown) => onError(toTuttiError(thrown)))
          .then(() => void (isOver || (cancel = clock.timer(HOUR_MS, again))))
      }
      again()
      return async () => {
        isOver = true
        cancel()
        await work
      }
    },
  }
}

function describeRetention({ runDays, conversationDays, uploadDays }: Config['retention']): string | undefined {
  const named = { runs: runDays, conversations: conversationDays, uploads: uploadDays }
  const lines = Object.entries(named).flatMap(([what, days]) =>
    days === undefined ? [] : [`${what} after ${days} day${days === 1 ? '' : 's'}`],
  )
  return lines.length === 0 ? undefined : lines.join(', ')
}

/** Runs that are not over, with the conversation that each belongs to. */
async function openRuns({ storage, engine }: RetentionParts) {
  const open = await storage.store.runs({ status: ['running', 'waiting'] })
  return Promise.all(
    open.map(async (run) => {
      const state = await engine.state(run.runId).catch((thrown: unknown) => {
        // It was deleted meanwhile.
        if (!TuttiError.is(thrown, 'RunNotFound')) throw thrown
      })
      return { ...run, conversationId: state?.request.conversationId }
    }),
  )
}

async function sweepRuns(parts: RetentionParts, before: number): Promise<number> {
  if (before === -Infinity) return 0
  let count = 0
  let after: RunRecord | undefined
  do {
    const page: readonly RunRecord[] = await parts.storage.store.runs({
      status: ['finished', 'failed', 'cancelled'],
      until: before,
      limit: PAGE,
      ...(after === undefined ? {} : { after }),
    })
    for (const run of page) if (run.updatedAt < before && (await tryDelete(parts, run))) count++
    after = page.at(-1)
  } while (after !== undefined && count < MAX_PER_SWEEP)
  return count
}

/** False for runs that are deleted with their parent, and for a run with unfinished nested runs. */
async function tryDelete({ storage: { store }, artifacts }: RetentionParts, run: RunRecord): Promise<boolean> {
  try {
    await deleteRun({ store, artifacts }, run)
    return true
  } catch (thrown) {
    if (TuttiError.is(thrown, 'RunConflict')) return false
    throw thrown
  }
}

/** Deletes conversations that are not pinned. */
async function sweepConversations(
  parts: RetentionParts,
  before: number,
  open: readonly (RunRecord & { readonly conversationId: string | undefined })[],
): Promise<number> {
  if (before === -Infinity) return 0
  const { conversations } = parts.memory
  let count = 0
  for (const owner of await ownersIn(parts)) {
    const inUse = new Set(open.flatMap((run) => (run.owner === owner ? [run.conversationId] : [])))
    // A branch is deleted with its origin, which is kept while one of its branches is in use.
    const isOld = async ({ updatedAt, pinnedAt, conversationId }: Conversation): Promise<boolean> => {
      if (updatedAt >= before || pinnedAt !== undefined || inUse.has(conversationId)) return false
      for (const branch of await conversations.list(owner, { branchOf: conversationId, limit: PAGE })) {
        if (!(await isOld(branch))) return false
      }
      return true
    }
    let after: Conversation | undefined
    do {
      const page: readonly Conversation[] = await conversations.list(owner, {
        limit: PAGE,
        ...(after === undefined ? {} : { after }),
      })
      for (const one of page) {
        if (await isOld(one)) count += await conversations.remove(owner, one.conversationId)
      }
      after = page.at(-1)
    } while (after !== undefined)
  }
  return count
}

/**
 * Deletes old uploads to the library and to collections. Not local files, which are read again when they change, and
 * not documents of runs, which are deleted with them.
 */
async function sweepUploads(parts: RetentionParts, before: number): Promise<number> {
  const { knowledge } = parts
  if (before === -Infinity || !knowledge.hasDocuments) return 0
  let count = 0
  for (const owner of [...(await ownersIn(parts)), ...(await knowledge.shared.all())]) {
    for (const { documentId, path, addedAt } of await knowledge.store.documents(owner)) {
      if (path === undefined && addedAt < before && (await knowledge.store.remove(owner, documentId))) count++
    }
  }
  return count
}

/** All owners that may have conversations and documents: accounts, and owners that a program manages itself. */
async function ownersIn({ people, storage, options }: RetentionParts): Promise<ReadonlySet<Owner>> {
  const persons = await people.accounts.list()
  return new Set([LOCAL_OWNER, options.owner, ...persons.map(({ userId }) => userId), ...(await keepers(storage.sql))])
}
