import type { ArtifactFile, ArtifactStore } from '../domain/artifacts.ts'
import type { Clock } from '../shared/clock.ts'
import { TuttiError } from '../domain/errors.ts'
import type { RunEvent, RunId, Owner } from '../domain/events.ts'
import { filesIn } from '../domain/answer-files.ts'
import type { Plan } from '../domain/plan.ts'
import type { RunRequest } from '../domain/request.ts'
import type { RunPart, ApprovalFilter, ApprovalRecord, RunFilter, RunRecord, RunStore } from '../domain/store.ts'
import { createSecrets, declaredBy, maskLikelyNamedSecrets, type Secrets } from '../domain/secrets.ts'
import { fold, type RunState } from '../domain/state.ts'
import type { Engine } from './engine.ts'
import type { DriverEnd } from './run/live-run.ts'
import type { StartOptions } from './options.ts'
import { deleteRun } from './run/delete-run.ts'
import type { ForkChanges, ForkOptions } from './run/fork.ts'
import type { LiveItem } from './readers/live.ts'
import { maskLog, RunMask } from './log/masking.ts'
import { runNotFoundError } from './run/run-errors.ts'
import type { StreamOptions } from './readers/stream.ts'
import { pickDefined } from '../shared/json.ts'

const MAX_OWNER_CHARS = 200

/** The engine's access to runs of all owners. */
type AllRuns = Pick<
  Engine,
  'start' | 'events' | 'stream' | 'outcome' | 'resume' | 'cancel' | 'decide' | 'fork' | 'replan' | 'say'
>

export interface RunSources {
  readonly store: RunStore
  readonly artifacts: ArtifactStore
  readonly clock: Clock
  /** Secrets of this process, such as its passwords and keys. */
  readonly known: readonly string[]
}

/**
 * The runs of one owner, for users and their programs. Runs of other owners look as if they did not exist. Created by
 * `engine.as`. Workers and recovery use the engine itself, which works for all owners.
 *
 * All data leaves the engine through this class, which masks secrets; jobs work with the real values.
 */
export class OwnedRuns {
  readonly owner: Owner
  private readonly engine: AllRuns
  private readonly sources: RunSources
  private readonly secrets: Secrets

  /** @throws TuttiError `InvalidRequest` for an invalid owner */
  constructor(engine: AllRuns, owner: Owner, sources: RunSources) {
    // oxlint-disable-next-line no-control-regex -- control characters are searched for
    if (owner === '' || owner.length > MAX_OWNER_CHARS || /[\u0000-\u001F]/.test(owner)) {
      throw new TuttiError('InvalidRequest', `An owner is named by 1 to ${MAX_OWNER_CHARS} printable characters.`)
    }
    this.engine = engine
    this.sources = sources
    this.secrets = createSecrets(sources.known)
    this.owner = owner
  }

  /** As `Engine.start`. */
  start(request: RunRequest, options: Omit<StartOptions, 'owner' | 'parent'> = {}): Promise<RunId> {
    return this.engine.start(request, { ...options, owner: this.owner })
  }

  /** Newest first. */
  async runs(filter: Omit<RunFilter, 'owner'> = {}): Promise<readonly RunRecord[]> {
    return (await this.sources.store.runs({ ...filter, owner: this.owner })).map((record) => this.masked(record))
  }

  async run(runId: RunId): Promise<RunRecord | undefined> {
    const record = await this.sources.store.run(runId)
    return record?.owner === this.owner ? this.masked(record) : undefined
  }

  /** Agents and models that took part in the runs, to filter runs by. */
  parts(): Promise<readonly RunPart[]> {
    return this.sources.store.parts(this.owner)
  }

  async approvals(filter: Omit<ApprovalFilter, 'owner'> = {}): Promise<readonly ApprovalRecord[]> {
    return (await this.sources.store.approvals({ ...filter, owner: this.owner })).map((record) =>
      this.maskedApproval(record),
    )
  }

  /** The whole log of a run. @throws TuttiError `RunNotFound` */
  async events(runId: RunId): Promise<readonly RunEvent[]> {
    await this.assertOwned(runId)
    return maskLog(await this.engine.events(runId), this.sources.known)
  }

  /** @throws TuttiError `RunNotFound` */
  async state(runId: RunId): Promise<RunState> {
    return fold(await this.events(runId))
  }

  /** A file that a tool of the run stored, under its name in the run. @throws TuttiError `RunNotFound`, `ArtifactNotFound` */
  async file(runId: RunId, fileId: string): Promise<ArtifactFile> {
    const ref = filesIn(await this.state(runId)).find(({ id }) => id === fileId)
    if (ref === undefined) throw new TuttiError('ArtifactNotFound', `Run ${runId} has no file ${fileId}.`)
    return { ...(await this.sources.artifacts.read(this.owner, fileId)), name: ref.name }
  }

  /** As `Engine.stream`. @throws TuttiError `RunNotFound` */
  stream(runId: RunId, options: StreamOptions = {}): AsyncGenerator<LiveItem> {
    return this.engine.stream(runId, options, async () => {
      await this.assertOwned(runId)
      const { store, known } = this.sources
      const before = (options.afterSeq ?? 0) === 0 ? [] : await store.read(runId)
      return new RunMask([...known, ...before.flatMap(declaredBy)])
    })
  }

  /** As `Engine.outcome`. @throws TuttiError `RunNotFound` */
  async outcome(runId: RunId, signal?: AbortSignal): Promise<RunState> {
    await this.assertOwned(runId)
    await this.engine.outcome(runId, signal)
    return this.state(runId)
  }

  /** As `Engine.resume`. @throws TuttiError `RunNotFound`, or `RunConflict` when a live worker has it */
  async resume(runId: RunId): Promise<DriverEnd> {
    await this.assertOwned(runId)
    return this.engine.resume(runId)
  }

  /** @throws TuttiError `RunNotFound`, or `RunConflict` when the run is over already */
  async cancel(runId: RunId, by: string): Promise<void> {
    await this.assertOwned(runId)
    return this.engine.cancel(runId, by)
  }

  /** As `Engine.decide`. @throws TuttiError `ApprovalNotPending` */
  async decide(...[approvalId, ...decision]: Parameters<Engine['decide']>): Promise<void> {
    const [approval] = await this.approvals({ approvalId })
    if (approval === undefined) throw new TuttiError('ApprovalNotPending', `There is no approval ${approvalId}.`)
    return this.engine.decide(approvalId, ...decision)
  }

  /** Ends an approval that covers later calls. @throws TuttiError `NotFound` */
  async revokeApproval(approvalId: string, by: string): Promise<void> {
    const isRevoked = await this.sources.store.revokeApproval(this.owner, approvalId, by, this.sources.clock.now())
    if (!isRevoked) throw new TuttiError('NotFound', `There is no standing approval ${approvalId}.`)
  }

  /** As `Engine.say`. @throws TuttiError `RunNotFound`, `RunConflict` */
  async say(runId: RunId, text: string, by: string): Promise<void> {
    await this.assertOwned(runId)
    return this.engine.say(runId, text, by)
  }

  /** As `Engine.replan`. @throws TuttiError `InvalidPlan`, `UnknownAgent`, `RunNotFound`, `RunConflict` */
  async replan(runId: RunId, plan: Plan, by: string): Promise<void> {
    await this.assertOwned(runId)
    return this.engine.replan(runId, plan, by)
  }

  /** As `Engine.fork`; the fork belongs to the same owner. @throws TuttiError `RunNotFound`, `InvalidRequest` */
  async fork(runId: RunId, fromKey: string, changes: ForkChanges = {}, options: ForkOptions = {}): Promise<RunId> {
    await this.assertOwned(runId)
    return this.engine.fork(runId, fromKey, changes, options)
  }

  /**
   * Erases a run that is over: its log, approvals, nested runs, and the files that no other run of the owner refers to.
   * Conversations and memory keep their data from it.
   * @throws TuttiError `RunNotFound`; `RunConflict` while it is not over, and for a nested run whose parent exists,
   * since it is erased with its parent
   */
  async delete(runId: RunId): Promise<void> {
    const record = await this.run(runId)
    if (record === undefined) throw runNotFoundError(runId)
    await deleteRun(this.sources, record)
  }

  private maskedApproval(record: ApprovalRecord): ApprovalRecord {
    const shown = pickDefined(record, ['reason', 'instructions'])
    return { ...record, ...this.secrets.value({ ...shown, payload: maskLikelyNamedSecrets(record.payload) }) }
  }

  private masked(record: RunRecord): RunRecord {
    return { ...record, question: this.secrets.text(record.question) }
  }

  private async assertOwned(runId: RunId): Promise<void> {
    if ((await this.run(runId)) === undefined) throw runNotFoundError(runId)
  }
}
