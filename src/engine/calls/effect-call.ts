import type { EffectState } from '../../domain/effects.ts'
import { toTuttiError, TuttiError } from '../../domain/errors.ts'
import type { Provenance } from '../../domain/provenance.ts'
import type { EffectCheck, ReadyTool } from '../../domain/tool.ts'
import { loggedError, plainCopy } from '../log/plain-json.ts'
import type { CallSite } from './call-site.ts'
import { withTimeLimit, EFFECT_LIMIT_MS } from './effect-limit.ts'
import { idempotencyKey, outputOf, provenanceOf, provenanceOfError, type DeclaredSecrets } from './tool-io.ts'

/** An irreversible call on its way. */
export interface EffectCall<P, O> {
  readonly site: CallSite
  readonly tool: ReadyTool<P, O>
  readonly input: P
  /** The input as users see it. */
  readonly payload: unknown
  readonly secrets: DeclaredSecrets
  /** Validates a payload that a user edited. @throws TuttiError `ToolError` */
  readonly parse: (payload: unknown) => P
  readonly path: string
  /** The path of the interrupted call that it replaces. */
  readonly insteadOf?: string
}

/**
 * Records the output of the call, and returns it as the log has it. An output that cannot be logged is an error after
 * the call was made.
 */
export async function recordOutput<P, O>(effectCall: EffectCall<P, O>, returned: O): Promise<O> {
  const { site, tool, path } = effectCall
  const { host, job } = site.call
  let output: O
  let provenance: Provenance | undefined
  try {
    output = plainCopy(returned, outputOf(tool), 'ToolError')
    provenance = provenanceOf(tool, output)
  } catch (thrown) {
    const message = `${toTuttiError(thrown).message} The call may have taken place: look there before you ask for it again.`
    return recordError(effectCall, new TuttiError('EffectUnknown', message, { cause: thrown }))
  }
  site.call.hasSeen(provenance)
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

/** Writes that the call failed, and throws it. */
export async function recordError<P, O>({ site, tool, path }: EffectCall<P, O>, error: TuttiError): Promise<never> {
  const { host, job } = site.call
  const provenance = provenanceOfError(tool)
  site.call.hasSeen(provenance)
  const seen = provenance === undefined ? {} : { provenance }
  host.push({ type: 'effect.done', key: job.key, path, error: loggedError(error), ...seen })
  await host.flush()
  throw error
}

/** Asks the tool for the state of the call; `unknown` if the tool cannot check it. */
export async function askTool<P, O>({ site, tool, input, path }: EffectCall<P, O>): Promise<EffectCheck<O>> {
  const { check } = tool
  if (check === undefined) return { state: 'unknown' }
  try {
    const late = () => new TuttiError('Timeout', 'it did not answer.')
    return await withTimeLimit(site.call.host.clock, EFFECT_LIMIT_MS, late, () =>
      check(input, idempotencyKey(site, path)),
    )
  } catch (thrown) {
    site.call.host.push({
      type: 'note',
      key: site.call.job.key,
      kind: 'ERROR',
      message: `Tool "${tool.name}" could not tell whether its call took place: ${toTuttiError(thrown).message}`,
    })
    return { state: 'unknown' }
  }
}

/** The output of a call, as the log has it. @throws the call's error */
export function effectOutput<O>(site: CallSite, effect: Extract<EffectState, { state: 'done' }>): O {
  site.call.hasSeen(effect.provenance)
  if (effect.error !== undefined) throw TuttiError.fromInfo(effect.error)
  return plainCopy(effect.output as O, 'A recorded output')
}
