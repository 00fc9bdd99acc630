import type { RoleContext } from '../core/actor.ts'
import type { ActorCall } from './actor-call.ts'
import type { CallScope } from './call-scope.ts'
import { runChild } from './child-calls.ts'
import { askModel } from './model-calls.ts'
import { callTool } from './tool-calls.ts'

/** The door that DESIGN section 4 speaks of: one per attempt, closed when the attempt is over. */
export function createContext(call: ActorCall): RoleContext {
  const { host, job, actor } = call
  const attempt = call.attempt!
  const scope: CallScope = { call, attempt, paths: call.paths! }
  return {
    runId: host.state.runId,
    job,
    attempt: attempt.number,
    request: host.state.request,
    state: host.state,
    get signal() {
      return attempt.signal
    },
    now: () => host.clock.now(),
    ask: (prompt, input, settings = {}) => attempt.working(() => askModel(scope, prompt, input, settings)),
    call: (tool, input) => attempt.working(() => callTool(scope, tool, input)),
    startRun: (request) => attempt.working(() => runChild(scope, request)),
    note(kind, message, data) {
      attempt.assertAlive()
      const about = { key: job.key, actor: actor.name, kind, message }
      host.push({ type: 'note', ...about, ...(data === undefined ? {} : { data }) })
    },
    emit(event) {
      attempt.assertAlive()
      const { key } = job
      call.emitted.push(event.type === 'plan.set' ? { provenance: call.provenance, ...event, key } : { ...event, key })
    },
  }
}
