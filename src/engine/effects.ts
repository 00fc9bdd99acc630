import { errorInfo, toTuttiError, TuttiError } from '../core/errors.ts'
import type { EffectState } from '../core/state.ts'
import type { EffectCheck, Tool } from '../core/tool.ts'
import { requireApproval } from './approvals.ts'
import { jobPath, type CallScope } from './call-scope.ts'
import { idempotencyKey, maskSecrets, provenanceOf } from './tool-calls.ts'

/**
 * An irreversible call (DESIGN section 5.4). Its intent is on disk before it is made; it is made at most once; when a
 * crash leaves open whether it happened, the tool is asked, and where the tool cannot tell, a person.
 */
export async function callIrreversible<I, O>(scope: CallScope, tool: Tool<I, O>, input: I): Promise<O> {
  const path = jobPath(scope, tool.name, input)
  const effect = scope.call.host.state.effects.get(path)
  if (effect?.state === 'done') return outcomeOf<O>(scope, effect)
  if (effect?.state === 'intended') return resumeEffect(scope, tool, input, path)

  const { host, job } = scope.call
  if (needsApproval(scope, tool, input)) {
    const { provenance } = scope.call
    const reason =
      provenance.trust === 'untrusted'
        ? `This call cannot be undone, and what it is made from comes from outside: ${provenance.sources.join(', ')}.`
        : 'This call cannot be undone.'
    await requireApproval(scope, { path, tool: tool.name, payload: maskSecrets(input, tool.secretFields), reason })
  }
  const key = idempotencyKey(scope, path)
  host.push({ type: 'effect.intended', key: job.key, path, tool: tool.name, idempotencyKey: key })
  await host.flush()
  return perform(scope, tool, input, path)
}

function needsApproval<I, O>(scope: CallScope, tool: Tool<I, O>, input: I): boolean {
  const { provenance, host } = scope.call
  return provenance.trust === 'untrusted' || !host.approvals.allowsWithoutApproval(tool.name, input)
}

async function perform<I, O>(scope: CallScope, tool: Tool<I, O>, input: I, path: string): Promise<O> {
  const { attempt, call } = scope
  return attempt.uninterrupted(async () => {
    attempt.assertAlive()
    try {
      const output = await tool.run(input, {
        signal: new AbortController().signal,
        idempotencyKey: idempotencyKey(scope, path),
      })
      return await settle(scope, tool, path, output)
    } catch (thrown) {
      const known = await askTool(scope, tool, input, path)
      if (known.state === 'done') return settle(scope, tool, path, known.output)
      // Not retried by itself, whatever the tool thinks: unless it says "not done", it may have happened.
      const error = new TuttiError(toTuttiError(thrown).code, toTuttiError(thrown).message, { cause: thrown })
      call.host.push({ type: 'effect.done', key: call.job.key, path, error: errorInfo(error) })
      await call.host.flush()
      throw error
    }
  })
}

async function settle<I, O>(scope: CallScope, tool: Tool<I, O>, path: string, output: O): Promise<O> {
  const { host, job } = scope.call
  const provenance = provenanceOf(tool, output)
  scope.call.hasSeen(provenance)
  host.push({ type: 'effect.done', key: job.key, path, output, ...(provenance === undefined ? {} : { provenance }) })
  await host.flush()
  return output
}

async function resumeEffect<I, O>(scope: CallScope, tool: Tool<I, O>, input: I, path: string): Promise<O> {
  const known = await askTool(scope, tool, input, path)
  if (known.state === 'done') return settle(scope, tool, path, known.output)
  if (known.state === 'not-done') return perform(scope, tool, input, path)

  const { host, job } = scope.call
  const reason =
    'It was interrupted half-way and may already have happened. Approve to do it (again), deny to leave it.'
  host.push({ type: 'effect.unknown', key: job.key, path, tool: tool.name, reason })
  const payload = maskSecrets(input, tool.secretFields)
  await requireApproval(scope, { path, tool: tool.name, payload, reason, purpose: 'repeat' })
  return perform(scope, tool, input, path)
}

async function askTool<I, O>(scope: CallScope, tool: Tool<I, O>, input: I, path: string): Promise<EffectCheck<O>> {
  if (tool.check === undefined) return { state: 'unknown' }
  try {
    return await tool.check(input, idempotencyKey(scope, path))
  } catch (thrown) {
    scope.call.host.push({
      type: 'note',
      key: scope.call.job.key,
      kind: 'ERROR',
      message: `Tool "${tool.name}" could not tell whether its call took place: ${toTuttiError(thrown).message}`,
    })
    return { state: 'unknown' }
  }
}

function outcomeOf<O>(scope: CallScope, effect: Extract<EffectState, { state: 'done' }>): O {
  scope.call.hasSeen(effect.provenance)
  if (effect.error !== undefined) throw TuttiError.fromInfo(effect.error)
  return effect.output as O
}
