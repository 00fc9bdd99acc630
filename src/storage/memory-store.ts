import type { NewEvent, RunEvent, RunId } from '../domain/events.ts'
import type { Owner } from '../domain/owner.ts'
import { hasPart, runParts, type RunPart } from '../domain/run-parts.ts'
import {
  isFinal,
  type Append,
  type AppendOutcome,
  type ApprovalFilter,
  type ApprovalRecord,
  type ClaimedRun,
  type RunFilter,
  type RunRecord,
  type RunStore,
} from '../domain/store.ts'
import type { EventPage, RunFeed, AnswerPiece } from '../domain/feed.ts'
import { News } from './announcement.ts'
import { approvalOf, compareParts, decisionOf, isLeased, startedRecord, type Writable } from './projection.ts'
import type { MemoryWakeLog } from './wake-log.ts'

interface Entry {
  readonly record: Writable<RunRecord>
  /** In order; the index is the position in the log. */
  readonly events: NewEvent[]
  /** Made with the first request; most runs have none. */
  approvals?: Map<string, Writable<ApprovalRecord>>
}

/**
 * Runs in memory, which end with the process: for use as a library, tests and benchmarks. Events are kept by reference, so
 * the caller must not change them afterwards.
 */
export class MemoryStore implements RunStore {
  private readonly entries = new Map<RunId, Entry>()
  /** Instructions and tools of transcripts, which are the same in most runs of an agent, with the runs that have them. */
  private readonly shared = new Map<string, { readonly value: unknown; readonly runs: Set<RunId> }>()
  private readonly wakes: MemoryWakeLog
  private readonly onWake: () => void
  private readonly news = new News()
  readonly feed: RunFeed = {
    page: (...args) => this.page(...args),
    heads: (runIds) => this.heads(runIds),
    lastText: (...args) => this.lastText(...args),
    listen: (onNews) => this.news.listen(onNews),
    mayHaveNews: () => false, // everything that appends is in this process
  }

  /** @param onWake called after an append that recorded wakes */
  constructor(wakes: MemoryWakeLog, onWake: () => void) {
    this.wakes = wakes
    this.onWake = onWake
  }

  async append(appends: readonly Append[]): Promise<readonly AppendOutcome[]> {
    const outcomes: AppendOutcome[] = []
    let woke = false
    for (const append of appends) {
      const outcome = this.appendOne(append)
      outcomes.push(outcome)
      if (outcome !== 'appended' || append.wakes === undefined) continue
      for (const wake of append.wakes) this.wakes.record(wake.runId, wake.at ?? 0)
      woke ||= append.wakes.length > 0
    }
    if (woke) this.onWake()
    this.news.tell(appends, outcomes)
    return outcomes
  }

  private appendOne(append: Append): AppendOutcome {
    const entry = this.entries.get(append.runId) ?? this.start(append)
    if (entry === undefined) return 'lost'
    const { record, events } = entry
    if (append.epoch !== undefined && append.epoch !== record.epoch) return 'lost'
    if (append.afterSeq !== record.lastSeq) return 'conflict'
    for (const event of append.events) {
      events.push(event.type === 'transcript.started' ? this.sharing(append.runId, event) : event)
      if (event.type === 'approval.requested') {
        entry.approvals ??= new Map()
        entry.approvals.set(event.approvalId, { ...approvalOf(append.runId, event), owner: record.owner })
      } else if (event.type === 'approval.decided') {
        const approval = entry.approvals?.get(event.approvalId)
        if (approval?.status === 'pending') Object.assign(approval, decisionOf(event))
      }
    }
    record.lastSeq = events.length
    if (append.status !== undefined) record.status = append.status
    return 'appended'
  }

  private sharing(runId: RunId, event: Extract<NewEvent, { type: 'transcript.started' }>): NewEvent {
    const { head } = event
    if (head === undefined) return event
    const instructions = this.share(runId, head.instructions, head.instructions)
    const tools = this.share(runId, JSON.stringify(head.tools), head.tools)
    return { ...event, head: { ...head, instructions, tools } }
  }

  private share<T>(runId: RunId, text: string, value: T): T {
    const known = this.shared.get(text) ?? { value, runs: new Set() }
    this.shared.set(text, known)
    known.runs.add(runId)
    return known.value as T
  }

  private start(append: Append): Entry | undefined {
    const start = startedRecord(append)
    if (start === undefined) return undefined
    const entry: Entry = { record: { ...start, lastSeq: 0 }, events: [] }
    this.entries.set(append.runId, entry)
    return entry
  }

  async read(runId: RunId, afterSeq = 0): Promise<readonly RunEvent[]> {
    return this.stored(runId, Math.max(0, afterSeq))
  }

  private async page(runId: RunId, afterSeq: number, limit: number): Promise<EventPage> {
    return { events: this.stored(runId, afterSeq, afterSeq + limit), chars: 0 }
  }

  private async heads(runIds: readonly RunId[]): Promise<ReadonlyMap<RunId, number>> {
    const entries = runIds.map((runId) => [runId, this.entries.get(runId)?.record.lastSeq] as const)
    return new Map(entries.filter((entry): entry is readonly [RunId, number] => entry[1] !== undefined))
  }

  private async lastText(runId: RunId, seq: number): Promise<AnswerPiece | undefined> {
    const events = this.entries.get(runId)?.events ?? []
    const at = events.findLastIndex(({ type }, i) => type === 'answer.delta' && i < seq)
    return at < 0 ? undefined : (this.stored(runId, at, at + 1)[0] as AnswerPiece)
  }

  private stored(runId: RunId, from: number, to?: number): RunEvent[] {
    const events = this.entries.get(runId)?.events.slice(from, to) ?? []
    return events.map((event, i): RunEvent => ({ ...event, runId, seq: from + i + 1, v: 1 }))
  }

  async run(runId: RunId): Promise<RunRecord | undefined> {
    const entry = this.entries.get(runId)
    return entry === undefined ? undefined : snapshot(entry)
  }

  async runs(filter: RunFilter = {}): Promise<readonly RunRecord[]> {
    const found: RunRecord[] = []
    const takesPart = partsAsked(filter)
    for (const entry of this.entries.values()) {
      if (filter.owner !== undefined && filter.owner !== entry.record.owner) continue
      if (filter.status !== undefined && !filter.status.includes(entry.record.status)) continue
      if (filter.parentId !== undefined && filter.parentId !== entry.record.parentId) continue
      if (filter.parentIds?.includes(entry.record.parentId ?? '') === false) continue
      if (filter.isHeld === true && entry.record.worker === undefined) continue
      if (!isAsked(entry.record, filter) || !takesPart(entry.events)) continue
      found.push(snapshot(entry))
    }
    found.sort((a, b) => b.createdAt - a.createdAt || (a.runId < b.runId ? 1 : -1))
    return filter.limit === undefined ? found : found.slice(0, filter.limit)
  }

  async parts(owner: Owner): Promise<readonly RunPart[]> {
    const own = [...this.entries.values()].filter(
      ({ record }) => record.owner === owner && record.parentId === undefined,
    )
    return [...runParts(own.flatMap(({ events }) => events))].sort(compareParts)
  }

  async approvals(filter: ApprovalFilter = {}): Promise<readonly ApprovalRecord[]> {
    const found: ApprovalRecord[] = []
    for (const entry of this.entries.values()) {
      if (entry.approvals === undefined) continue
      if (filter.owner !== undefined && filter.owner !== entry.record.owner) continue
      if (filter.runId !== undefined && filter.runId !== entry.record.runId) continue
      for (const approval of entry.approvals.values()) {
        if (filter.status !== undefined && filter.status !== approval.status) continue
        if (filter.approvalId !== undefined && filter.approvalId !== approval.approvalId) continue
        if (filter.tool !== undefined && filter.tool !== approval.tool) continue
        if (filter.destination !== undefined && filter.destination !== approval.destination) continue
        if (filter.isStanding === true && !isStandingApproval(approval)) continue
        found.push({ ...approval })
      }
    }
    return found.sort((a, b) => a.requestedAt - b.requestedAt || (a.approvalId < b.approvalId ? -1 : 1))
  }

  async revokeApproval(owner: Owner, approvalId: string, by: string, at: number): Promise<boolean> {
    const own = [...this.entries.values()].filter(({ record }) => record.owner === owner)
    const found = own.flatMap(({ approvals }) => approvals?.get(approvalId) ?? []).filter(isStandingApproval)
    for (const approval of found) Object.assign(approval, { revokedBy: by, revokedAt: at })
    return found.length > 0
  }

  async claim(...claim: Parameters<RunStore['claim']>): Promise<ClaimedRun | undefined> {
    const [runId, worker, leaseUntil, now, isAlive] = claim
    const entry = this.entries.get(runId)
    if (entry === undefined || isLeased(entry.record, now, isAlive)) return undefined
    const takenFrom = entry.record.worker === undefined ? {} : { takenFrom: entry.record.worker }
    entry.record.epoch += 1
    entry.record.worker = worker
    entry.record.leaseUntil = leaseUntil
    return { ...snapshot(entry), ...takenFrom }
  }

  async renew(runId: RunId, epoch: number, leaseUntil: number): Promise<boolean> {
    const record = this.entries.get(runId)?.record
    if (record?.worker === undefined || record.epoch !== epoch) return false
    record.leaseUntil = leaseUntil
    return true
  }

  async release(runId: RunId, epoch: number): Promise<void> {
    const record = this.entries.get(runId)?.record
    if (record === undefined || record.epoch !== epoch) return
    delete record.worker
    delete record.leaseUntil
  }

  async remove(owner: Owner, runId: RunId): Promise<number> {
    const first = this.entries.get(runId)
    if (first?.record.owner !== owner) return 0
    const family = [first.record]
    for (const { runId: parent } of family) {
      for (const { record } of this.entries.values()) if (record.parentId === parent) family.push(record)
    }
    if (!family.every(({ status }) => isFinal(status))) return 0
    for (const member of family) {
      this.entries.delete(member.runId)
      this.wakes.acknowledge(member.runId, Infinity, Infinity)
    }
    for (const [text, { runs }] of this.shared) {
      for (const { runId: removed } of family) runs.delete(removed)
      if (runs.size === 0) this.shared.delete(text)
    }
    return family.length
  }

  async close(): Promise<void> {
    this.entries.clear()
    this.shared.clear()
  }
}

function isAsked({ parentId, strategy, question, createdAt, runId }: RunRecord, filter: RunFilter): boolean {
  const { after, from = 0, until = Infinity, words = [] } = filter
  if (filter.isFirst === true && parentId !== undefined) return false
  if (filter.strategy !== undefined && filter.strategy !== strategy) return false
  if (createdAt < from || createdAt >= until) return false
  if (!words.every((word) => question.toLowerCase().includes(word.toLowerCase()))) return false
  if (after === undefined) return true
  return createdAt < after.createdAt || (createdAt === after.createdAt && runId < after.runId)
}

function partsAsked({ agents, model }: RunFilter): (events: readonly NewEvent[]) => boolean {
  const asked = [
    ...(agents === undefined ? [] : [hasPart('agent', agents)]),
    ...(model === undefined ? [] : [hasPart('model', [model])]),
  ]
  if (asked.length === 0) return () => true
  return (events) => {
    const parts = runParts(events)
    return asked.every((isAmong) => isAmong(parts))
  }
}

/** `updatedAt` is computed here rather than on every append, which is the hot path. */
function snapshot(entry: Entry): RunRecord {
  const last = entry.events.at(-1)
  return { ...entry.record, updatedAt: last === undefined ? entry.record.createdAt : Date.parse(last.at) }
}

function isStandingApproval({ status, scope, revokedAt }: ApprovalRecord): boolean {
  return status === 'approved' && (scope === 'conversation' || scope === 'always') && revokedAt === undefined
}
