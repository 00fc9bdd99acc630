import { LOCAL_OWNER, type Owner } from '../domain/events.ts'
import type { Conversation } from '../domain/conversation.ts'
import { toTuttiError, TuttiError } from '../domain/errors.ts'
import type { RunRecord } from '../domain/store.ts'
import type { Engine } from '../engine/engine.ts'
import { runsDeletedWith, deleteRun } from '../engine/run/delete-run.ts'
import { keepers, keepSweep, sweepsOf, type Sweep } from '../storage/owned-rows.ts'
import type { Config } from './config/schema.ts'
import type { AppParts } from './app-parts.ts'

const DAY_MS = 86_400_000
const HOUR_MS = 3_600_000
/** Of one sweep; the next one continues. */
export const MAX_PER_SWEEP = 1_000
const PAGE = 500

export interface RetentionParts extends Pick<
  AppParts,
  'options' | 'storage' | 'artifacts' | 'memory' | 'knowledge' | 'people'
> {
  readonly engine: Pick<Engine, 'state'>
}

/** Days until deletion; data without a setting is kept. */
export type RetentionDays = Config['retention']

/** Numbers of deleted items. */
export interface DeletionCounts {
  readonly runs: number
  readonly conversations: number
  readonly uploads: number
  /** Runs that are old enough but kept with their conversations, because they are running or wait for a user. */
  readonly waiting: number
}

/** Takes one away, or finds out whether it could be: how many went. */
interface Taking {
  run(run: RunRecord): Promise<unknown>
  conversation(owner: Owner, conversationId: string): Promise<number>
  upload(owner: Owner, documentId: string): Promise<boolean>
}

/** Deletes data that is older than the configured age. Runs that wait for a user are kept at any age. */
export function openRetention(parts: RetentionParts) {
  const { storage, memory, knowledge, artifacts } = parts
  const { clock, onTrouble, config } = parts.options
  const { store, sql: runner } = storage
  const settings = config.retention
  const deleting: Taking = {
    run: (run) => deleteRun({ store, artifacts }, run),
    conversation: (owner, conversationId) => memory.conversations.remove(owner, conversationId),
    upload: (owner, documentId) => knowledge.store.remove(owner, documentId),
  }
  const counting: Taking = {
    run: (run) => runsDeletedWith(store, run),
    // A deleted conversation has no remaining branches, and each branch is counted separately.
    conversation: async () => 1,
    upload: async () => true,
  }
  const sweepBy = async (days: RetentionDays, taking: Taking): Promise<DeletionCounts> => {
    const open = await openRuns(parts)
    const before = (some: number | undefined): number => (some === undefined ? -Infinity : clock.now() - some * DAY_MS)
    const oldest = Math.max(before(days.runDays), before(days.conversationDays))
    return {
      runs: await sweepRuns(parts, taking, before(days.runDays)),
      conversations: await sweepConversations(parts, taking, before(days.conversationDays), open),
      uploads: await sweepUploads(parts, taking, before(days.uploadDays)),
      waiting: open.filter(({ updatedAt }) => updatedAt < oldest).length,
    }
  }
  const sweep = async (): Promise<DeletionCounts> => {
    const counts = await sweepBy(settings, deleting)
    await keepSweep(runner, { at: clock.now(), ...counts })
    return counts
  }
  const words = inWords(settings)
  return {
    days: settings,
    /** A description of what is deleted, and when; undefined if nothing is deleted by age. */
    inWords: words,
    /** Deletes data that is older than the configured age, once. */
    sweep,
    /**
     * The numbers that a sweep with these days, which may differ from the configured ones, would delete. Deletes nothing.
     */
    wouldSweep: (days: RetentionDays): Promise<DeletionCounts> => sweepBy(days, counting),
    /** The last sweep of any process, and earlier ones that deleted something, latest first. */
    swept: (): Promise<readonly Sweep[]> => sweepsOf(runner),
    /** When the next is due; undefined where nothing is deleted by age, and before the first. */
    async nextAt(): Promise<number | undefined> {
      const [last] = words === undefined ? [] : await sweepsOf(runner)
      return last === undefined ? undefined : last.at + HOUR_MS
    },
    /** Sweeps now and every hour, in one process or many; the returned function stops it after the current sweep. */
    watch(onSwept: (swept: DeletionCounts) => void): () => Promise<void> {
      if (words === undefined) return async () => undefined
      let cancel = (): void => undefined
      let isOver = false
      let work: Promise<void>
      const again = (): void => {
        work = sweep()
          .then(onSwept, (thrown: unknown) => onTrouble(toTuttiError(thrown)))
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

function inWords({ runDays, conversationDays, uploadDays }: Config['retention']): string | undefined {
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

async function sweepRuns({ storage: { store } }: RetentionParts, taking: Taking, before: number): Promise<number> {
  if (before === -Infinity) return 0
  let count = 0
  let after: RunRecord | undefined
  do {
    const page: readonly RunRecord[] = await store.runs({
      status: ['finished', 'failed', 'cancelled'],
      until: before,
      limit: PAGE,
      ...(after === undefined ? {} : { after }),
    })
    for (const run of page) if (run.updatedAt < before && (await tryDelete(taking, run))) count++
    after = page.at(-1)
  } while (after !== undefined && count < MAX_PER_SWEEP)
  return count
}

/** False for runs that are deleted with their parent, and for a run with unfinished nested runs. */
async function tryDelete(taking: Taking, run: RunRecord): Promise<boolean> {
  try {
    await taking.run(run)
    return true
  } catch (thrown) {
    if (TuttiError.is(thrown, 'RunConflict')) return false
    throw thrown
  }
}

/** Deletes conversations that are not pinned. */
async function sweepConversations(
  parts: RetentionParts,
  taking: Taking,
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
        if (await isOld(one)) count += await taking.conversation(owner, one.conversationId)
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
async function sweepUploads(parts: RetentionParts, taking: Taking, before: number): Promise<number> {
  const { knowledge } = parts
  if (before === -Infinity || !knowledge.hasDocuments) return 0
  let count = 0
  for (const owner of [...(await ownersIn(parts)), ...(await knowledge.shared.all())]) {
    for (const { documentId, path, addedAt } of await knowledge.store.documents(owner)) {
      if (path === undefined && addedAt < before && (await taking.upload(owner, documentId))) count++
    }
  }
  return count
}

/** All owners that may have conversations and documents: accounts, and owners that a program manages itself. */
async function ownersIn({ people, storage, options }: RetentionParts): Promise<ReadonlySet<Owner>> {
  const persons = await people.accounts.list()
  return new Set([LOCAL_OWNER, options.owner, ...persons.map(({ userId }) => userId), ...(await keepers(storage.sql))])
}
