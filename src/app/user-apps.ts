import { randomUUID } from 'node:crypto'
import type { People } from '../accounts/people.ts'
import type { ArtifactStore, Erasure } from '../domain/artifacts.ts'
import { TuttiError } from '../domain/errors.ts'
import type { RunId, Owner } from '../domain/events.ts'
import { combine } from '../domain/provenance.ts'
import type { RequestInput } from '../domain/request.ts'
import { responseOf, type RunResponse } from '../domain/response.ts'
import type { OwnedRuns } from '../engine/owned-runs.ts'
import { recallConversation } from '../memory/recall.ts'
import { omitUndefined } from '../shared/json.ts'
import { allowedSources } from '../shared/source-name.ts'
import type { Agents } from './agents.ts'
import { withStrategy } from './auto-strategy.ts'
import type { Checked } from './check-options.ts'
import type { OpenEngine } from './engine.ts'
import type { OpenKnowledge } from './knowledge.ts'
import type { OwnMailboxes } from './mailboxes.ts'
import type { Memory } from './memory.ts'
import type { Requests } from './request.ts'
import { abandonedUnlessNamed, addRunDocuments, withCollection } from './run-documents.ts'
import { earlierAnswer, startWithMemory } from './start-run.ts'
import type { AppOf } from './user-app.ts'

interface Parts {
  readonly options: Checked
  readonly artifacts: ArtifactStore
  readonly people: Pick<People, 'sourcesOf'>
  readonly mailboxes: Pick<OwnMailboxes, 'secretsOf'>
  readonly knowledge: OpenKnowledge
  readonly memory: Memory
  readonly agents: Agents
  readonly requests: Requests
  readonly engine: Pick<OpenEngine, 'engine' | 'plan'>
  /** Applies changes of the MCP servers. */
  readonly followServers: () => Promise<void>
}

export interface UserApps {
  readonly as: (owner: Owner) => AppOf
  /** @throws TuttiError for a request that cannot be started */
  readonly check: (owner: Owner, request: RequestInput) => Promise<void>
  /** Requests are refused from then on. */
  close(): Promise<void>
}

/** Tutti as each user has it. */
export function openUserApps(parts: Parts): UserApps {
  const { options, artifacts, people, mailboxes, knowledge, memory, agents, requests, followServers } = parts
  const { engine, plan } = parts.engine
  const { hasModel, completed, withCollections } = requests
  const { profiles, conversations } = memory
  const { clock } = options
  const teamOf = (user: Owner) => agents.teams.agentsOf({ owner: user, request: {} })
  let isClosed = false
  const start = async (
    runs: OwnedRuns,
    ...[asked, given, earlier, fingerprint, provenance]: Parameters<AppOf['start']>
  ): Promise<RunId> => {
    const { owner } = runs
    if (isClosed) throw new TuttiError('InvalidRequest', 'This app is closed; make another with createApp.')
    await followServers()
    await agents.knowServers()
    const [request, team] = await Promise.all([withCollections(owner, asked), teamOf(owner)])
    engine.assertStrategy(completed(request, team))
    const notes: Erasure[] = []
    const fill = () =>
      addRunDocuments(knowledge.ofRuns, owner, options, async (collection) => {
        const note = abandonedUnlessNamed(owner, collection, clock.now())
        notes.push(note)
        await artifacts.begin(note)
      })
    const documents = await fill()
    // A conversation that begins with a run of a chosen id has that id, too: sent twice, it begins once.
    const store = { profiles, conversations, now: () => clock.now(), newId: () => given ?? randomUUID() }
    const before = { ...store, answerOf: (id: RunId) => runs.events(id).then(earlierAnswer, () => undefined) }
    const chosen = withStrategy(completed(request, team, documents), hasModel)
    const recalled = await recallConversation(before, owner, chosen, earlier)
    const ofTeam = await agents.teams.provenanceOf(owner, recalled.request)
    const origin = provenance === undefined ? ofTeam : combine([provenance, ofTeam])
    const secrets = await mailboxes.secretsOf(owner)
    const own = secrets.length === 0 ? undefined : secrets
    const about = omitUndefined({ runId: given, fingerprint, provenance: origin, secrets: own })
    const runId = await startWithMemory(runs, conversations, chosen, { ...recalled, ...about })
    // Deleting the last other run with the same documents may have deleted them meanwhile.
    if (documents.length > 0) await fill()
    for (const note of notes) await artifacts.end(note)
    return runId
  }
  return {
    as(owner) {
      const runs = engine.as(owner)
      const response = async (runId: RunId): Promise<RunResponse> => responseOf(await runs.events(runId))
      return {
        runs,
        response,
        start: (...asked) => start(runs, ...asked),
        async ask(request) {
          const runId = await start(runs, request)
          await runs.outcome(runId)
          return response(runId)
        },
        withDocuments: (...named) => withCollection(knowledge.ofRuns, owner, ...named),
        async plan(request) {
          await followServers()
          await agents.knowServers()
          const asked = completed(await withCollections(owner, request), await teamOf(owner))
          return plan(withStrategy({ ...asked, confirmPlan: true }, hasModel), owner)
        },
        async team() {
          await followServers()
          return teamOf(owner)
        },
        isGiven: async () => allowedSources(await people.sourcesOf(owner, agents.sources)),
      }
    },
    async check(owner, request) {
      engine.assertStrategy(completed(await withCollections(owner, request), await teamOf(owner)))
    },
    async close() {
      isClosed = true
    },
  }
}
