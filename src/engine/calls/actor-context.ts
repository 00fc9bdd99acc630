import { actionsBefore, actionsIn } from '../../domain/effects.ts'
import type { ActorContext, RoleContext } from '../../domain/actor.ts'
import { NO_RECOLLECTION } from '../../domain/conversation.ts'
import { validatePlan } from '../../domain/plan.ts'
import { TuttiError } from '../../domain/errors.ts'
import type { Source } from '../../domain/result.ts'
import { NO_TRANSCRIPT, transcriptMessages } from '../../domain/transcript.ts'
import { combine } from '../../domain/provenance.ts'
import { userRequestOf } from '../../domain/request.ts'
import { askPerson } from '../approvals/approvals.ts'
import type { ActorCall } from './actor-call.ts'
import { blackboardOf } from './blackboard.ts'
import { outcomeAt, siteAt, siteOf } from './call-site.ts'
import { runChild } from './child-calls.ts'
import { askModel } from './model-calls.ts'
import { plainCopy } from '../log/plain-json.ts'
import { contentOfSource, nameSources, recallResult, sourcesFor } from './job-sources.ts'
import { sendBack } from './tool-io.ts'
import { callTool } from './tool-calls.ts'
import {
  answerCall,
  compact,
  contextWindowOf,
  earlierTranscripts,
  turnModel,
  newUserMessages,
  openTranscript,
  takeTurn,
  transcriptOf,
} from './turns.ts'

/** An agent's only door to the world, called `ctx`: one per attempt, closed when the attempt is over. */
export function createContext(call: ActorCall): ActorContext {
  const { host, job, actor } = call
  const site = siteOf(call)
  const { attempt } = site
  const board = blackboardOf(call, attempt)
  const working = <T>(operation: () => Promise<T>): Promise<T> => {
    const result = attempt.working(operation)
    // An actor that does not wait for its call must not end the process when that call is cut off.
    result.catch(() => undefined)
    return result
  }
  return {
    runId: host.state.runId,
    owner: host.state.owner,
    job,
    attempt: attempt.number,
    request: host.state.request,
    get recollection() {
      const recollection = host.state.recollection ?? NO_RECOLLECTION
      call.addReadLabels(recollection.provenance)
      return recollection
    },
    get userRequest() {
      // Replies to a question carry the labels of the job that asked; it may still be running.
      for (const { instructions, provenance } of host.state.approvals.values())
        if (instructions !== undefined) call.addReadLabels(provenance)
      return userRequestOf(host.state)
    },
    get actions() {
      return actor.isRole ? actionsIn(host.state) : actionsBefore(job, host.state)
    },
    get signal() {
      return attempt.signal
    },
    now: () => host.clock.now(),
    ask: (prompt, input, settings = {}) => working(() => askModel(site, prompt, input, settings)),
    call: (tool, input) => working(() => callTool(site, tool, input)),
    transcript: {
      model: () => working(() => turnModel(site)),
      open: (begin) => working(() => openTranscript(site, begin)),
      get state() {
        return host.state.transcripts.get(job.key) ?? NO_TRANSCRIPT
      },
      get earlier() {
        return earlierTranscripts(site)
      },
      get messages() {
        return transcriptMessages(transcriptOf(site), host.state.transcripts)
      },
      get said() {
        return newUserMessages(site)
      },
      turn: (settings) => working(() => takeTurn(site, settings)),
      call: (tool, input, position, turnToRun) =>
        working(() => callTool(siteAt(call, position, turnToRun), tool, input)),
      answer: (position, answer) => answerCall(site, position, answer),
      outcome: (position) => outcomeAt(host.state, job.key, position),
      get sources() {
        return sourcesFor(site)
      },
      name: (sources, position) => nameSources(site, sources, position),
      recall: (id) => recallResult(site, id),
      contextWindow: () => working(() => contextWindowOf(site)),
      compact: (compaction) => compact(site, compaction),
      get timeUsed() {
        return attempt.timeUsed
      },
    },
    decline(reason, rest = {}) {
      attempt.assertAlive()
      call.declined = plainCopy(rest, `What ${actor.name} declined with`)
      throw new TuttiError('PlanningDeclined', reason)
    },
    sendBack: (rejection, max) => sendBack(site, rejection, max),
    artifacts: {
      keep: (file) => working(() => host.artifacts.keep(host.state.owner, file, host.state.runId)),
      read: (id) => working(() => host.artifacts.read(host.state.owner, id)),
      ...board.artifacts,
    },
    ...board.said,
    question: (text, options) => working(() => askPerson(site, text, options)),
    startRun: (request) => working(() => runChild(site, request)),
    note(kind, message, data) {
      attempt.assertAlive()
      const entry = { key: job.key, actor: actor.name, kind, message }
      host.push({ type: 'note', ...entry, ...(data === undefined ? {} : { data: plainCopy(data, 'A note') }) })
    },
  }
}

/** The same door as a role sees it: with the whole run behind it, and the right to set the plan and the answer. */
export function roleContext<I>(
  call: ActorCall,
  ctx: ActorContext,
  seen: Pick<RoleContext<I>, 'input' | 'inputs' | 'feedback'>,
): RoleContext<I> {
  const { host, job } = call
  const attempt = call.attempt!
  const upon = host.state.plan?.round ?? 0
  return Object.assign(ctx, seen, {
    state: host.state,
    agents: host.agents,
    tableOf: (source: Source) => contentOfSource(host.state, source).table,
    emit(event: Parameters<RoleContext['emit']>[0]) {
      attempt.assertAlive()
      const label = `What ${job.key} emits`
      if (event.type === 'answer.composed') {
        call.emitted.push({ ...plainCopy(event, label), key: job.key })
        return
      }
      const { plan, ...about } = event
      const provenance = combine([call.provenance, event.provenance])
      call.emitted.push({
        ...plainCopy(about, label),
        plan: validatePlan(plan, host.taskActors),
        key: job.key,
        provenance,
        upon,
      })
    },
  })
}
