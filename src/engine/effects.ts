import { toTuttiError, TuttiError } from '../core/errors.ts'
import { originOf, type Provenance } from '../core/provenance.ts'
import type { EffectState } from '../core/state.ts'
import type { EffectCheck, Tool } from '../core/tool.ts'
import { isApprovalAsked, requireApproval } from './approvals.ts'
import { jobPath, type CallScope } from './call-scope.ts'
import { loggedError, plainCopy } from './plain.ts'
import { idempotencyKey, ioOf, outputOf, provenanceOf, provenanceOfError } from './tool-calls.ts'

/** An irreversible call on its way. */
interface EffectCall<I, O> {
  readonly scope: CallScope
  readonly tool: Tool<I, O>
  readonly input: I
  /** The input as people see it. */
  readonly payload: unknown
  readonly path: string
}

/**
 * An irreversible call (DESIGN section 5.4). Its intent is on disk before it is made; it is made at most once; when a
 * crash leaves open whether it happened, the tool is asked, and where the tool cannot tell, a person.
 */
export async function callIrreversible<I, O>(
  scope: CallScope,
  tool: Tool<I, O>,
  input: I,
  payload: unknown,
): Promise<O> {
  const path = jobPath(scope, tool.name, input)
  const effectCall: EffectCall<I, O> = { scope, tool, input, payload, path }
  const effect = scope.call.host.state.effects.get(path)
  if (effect?.state === 'done') return outcomeOf<O>(scope, effect)
  if (effect?.state === 'intended') return resume(effectCall, effect.times)

  const { provenance, host } = scope.call
  const origin = originOf(provenance)
  if (origin !== undefined || !host.approvals.allowsWithoutApproval(tool.name, input)) {
    const reason = origin === undefined ? 'This call cannot be undone.' : `This call cannot be undone, and ${origin}.`
    await requireApproval(scope, { path, tool: tool.name, payload, reason })
  }
  return perform(effectCall)
}

/** Writes the intent, makes the call, writes what came of it. Not cut off half-way, whatever happens to the job. */
function perform<I, O>(effectCall: EffectCall<I, O>): Promise<O> {
  const { scope, tool, input, path } = effectCall
  const { host, job } = scope.call
  const key = idempotencyKey(scope, path)
  return scope.attempt.uninterrupted(async () => {
    host.push({ type: 'effect.intended', key: job.key, path, tool: tool.name, idempotencyKey: key })
    await host.flush()
    let output: O
    try {
      output = await tool.run(input, ioOf(scope, path, new AbortController().signal))
    } catch (thrown) {
      const known = await askTool(effectCall)
      if (known.state === 'done') return keepOutput(effectCall, known.output)
      // Not retried by itself, whatever the tool thinks: unless it says "not done", it may have happened.
      const { code, message } = toTuttiError(thrown)
      return keepError(effectCall, new TuttiError(code, message, { cause: thrown }))
    }
    return keepOutput(effectCall, output)
  })
}

async function keepOutput<I, O>(effectCall: EffectCall<I, O>, returned: O): Promise<O> {
  const { scope, tool, path } = effectCall
  const { host, job } = scope.call
  let output: O
  let provenance: Provenance | undefined
  try {
    output = plainCopy(returned, outputOf(tool), 'ToolError')
    provenance = provenanceOf(tool, output)
  } catch (thrown) {
    return keepError(effectCall, toTuttiError(thrown))
  }
  scope.call.hasSeen(provenance)
  host.push({
    type: 'effect.done',
    key: job.key,
    path,
    output: plainCopy(output, outputOf(tool)),
    ...(provenance === undefined ? {} : { provenance }),
  })
  await host.flush()
  return output
}

async function keepError<I, O>({ scope, tool, path }: EffectCall<I, O>, error: TuttiError): Promise<never> {
  const { host, job } = scope.call
  const provenance = provenanceOfError(tool)
  scope.call.hasSeen(provenance)
  const seen = provenance === undefined ? {} : { provenance }
  host.push({ type: 'effect.done', key: job.key, path, error: loggedError(error), ...seen })
  await host.flush()
  throw error
}

/** Goes on after a crash between intent and outcome. `times` counts the intents, so that each repetition is asked for. */
async function resume<I, O>(effectCall: EffectCall<I, O>, times: number): Promise<O> {
  const { scope, tool, payload, path } = effectCall
  const known = await askTool(effectCall)
  scope.attempt.assertAlive()
  if (known.state === 'done') return keepOutput(effectCall, known.output)
  if (known.state === 'not-done') return perform(effectCall)

  const { host, job, provenance } = scope.call
  const origin = provenance.trust === 'trusted' ? '' : ` Mind that ${originOf(provenance)}.`
  const reason = `It was interrupted half-way and may already have happened. Approve to do it (again), deny to leave it.${origin}`
  const ask = { path, tool: tool.name, payload, reason, purpose: `repeat ${times}` }
  if (!isApprovalAsked(scope, ask)) {
    host.push({ type: 'effect.unknown', key: job.key, path, tool: tool.name, reason })
  }
  await requireApproval(scope, ask)
  return perform(effectCall)
}

async function askTool<I, O>({ scope, tool, input, path }: EffectCall<I, O>): Promise<EffectCheck<O>> {
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
  return plainCopy(effect.output as O, 'A recorded output')
}
