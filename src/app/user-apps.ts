import type { AppParts } from './app-parts.ts'
import { randomUUID } from 'node:crypto'
import type { Erasure } from '../domain/artifacts.ts'
import { TuttiError } from '../domain/errors.ts'
import type { RunId, RunEvent, Owner } from '../domain/events.ts'
import { combine } from '../domain/provenance.ts'
import type { RequestInput, RunRequest } from '../domain/request.ts'
import { responseOf, type RunResponse } from '../domain/response.ts'
import type { OwnedRuns } from '../engine/owned-runs.ts'
import { recallConversation } from '../memory/recall.ts'
import { omitUndefined } from '../shared/json.ts'
import { allowedSources } from '../shared/source-name.ts'
import { withStrategy } from './auto-strategy.ts'
import type { OpenEngine } from './engine.ts'
import { abandonedUnlessNamed, addRunDocuments, withCollection } from './run-documents.ts'
import type { AppOf } from './user-app.ts'
import type { ConversationStore } from '../domain/conversation.ts'
import { fold } from '../domain/state.ts'
import { contentOfSource } from '../engine/calls/job-sources.ts'
import { lastSourceId } from '../engine/calls/source-ids.ts'
import type { EarlierAnswer } from '../memory/earlier-results.ts'

type Parts = Pick<
  AppParts,
  'options' | 'artifacts' | 'people' | 'mailboxes' | 'knowledge' | 'memory' | 'agents' | 'requests'
> &
  Pick<OpenEngine, 'engine' | 'plan'> & {
    /** Applies changes of the MCP servers. */
    readonly followServers: () => Promise<void>
  }

/** Tutti as each user has it. */
export type UserApps = ReturnType<typeof openUserApps>

export function openUserApps(parts: Parts) {
  const { options, artifacts, people, mailboxes, knowledge, memory, agents, requests, followServers } = parts
  const { engine, plan } = parts
  const { hasModel, complete, withCollections } = requests
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
    engine.assertStrategy(complete(request, team))
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
    const chosen = withStrategy(complete(request, team, documents), hasModel)
    const recalled = await recallConversation(before, owner, chosen, earlier)
    const ofTeam = await agents.teams.provenanceOf(owner, recalled.request)
    const origin = provenance === undefined ? ofTeam : combine([provenance, ofTeam])
    const secrets = await mailboxes.secretsOf(owner)
    const own = secrets.length === 0 ? undefined : secrets
    const settings = omitUndefined({ runId: given, fingerprint, provenance: origin, secrets: own })
    const runId = await startWithMemory(runs, conversations, chosen, { ...recalled, ...settings })
    // Deleting the last other run with the same documents may have deleted them meanwhile.
    if (documents.length > 0) await fill()
    for (const note of notes) await artifacts.end(note)
    return runId
  }
  return {
    as(owner: Owner): AppOf {
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
          const completed = complete(await withCollections(owner, request), await teamOf(owner))
          return plan(withStrategy({ ...completed, confirmPlan: true }, hasModel), owner)
        },
        async team() {
          await followServers()
          return teamOf(owner)
        },
        isGiven: async () => allowedSources(await people.sourcesOf(owner, agents.sources)),
      }
    },
    /** @throws TuttiError for a request that cannot be started */
    async check(owner: Owner, request: RequestInput): Promise<void> {
      engine.assertStrategy(complete(await withCollections(owner, request), await teamOf(owner)))
    },
    /** Requests are refused from then on. */
    async close(): Promise<void> {
      isClosed = true
    },
  }
}

/** The parts of a run that later runs of the conversation receive. */
function earlierAnswer(events: readonly RunEvent[]): EarlierAnswer {
  const state = fold(events)
  return { ...responseOf(events), contentOf: (source) => contentOfSource(state, source), lastId: lastSourceId(state) }
}

/**
 * Starts a request with its memory. If it is refused, the conversation that was created for it is removed.
 * @param asked the request without memory
 * @throws TuttiError as `OwnedRuns.start`
 */
async function startWithMemory(
  runs: OwnedRuns,
  conversations: Pick<ConversationStore, 'remove'>,
  asked: RunRequest,
  { request, ...options }: { readonly request: RunRequest } & NonNullable<Parameters<OwnedRuns['start']>[1]>,
): Promise<RunId> {
  try {
    return await runs.start(request, options)
  } catch (thrown) {
    const { conversationId } = request
    const isBegun = conversationId !== undefined && conversationId !== asked.conversationId
    // A run of a chosen id may have been begun by another request, and its conversation with it.
    if (isBegun && (await runs.run(conversationId)) === undefined) {
      await conversations.remove(runs.owner, conversationId)
    }
    throw thrown
  }
}
