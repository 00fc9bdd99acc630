import { isProvenance } from '../../domain/declaration.ts'
import { TuttiError } from '../../domain/errors.ts'
import type { EventBody } from '../../domain/events.ts'
import { BY_USER, outsideData, type Provenance } from '../../domain/provenance.ts'
import type { Tool, ToolInfo, ToolIo } from '../../domain/tool.ts'
import { type CallSite, earlierCalls } from './call-site.ts'
import { recallResult } from './job-sources.ts'
import type { Rejection } from '../../domain/job.ts'
import { plainCopy } from '../log/plain-json.ts'

/** For the event of a call. */
export type DeclaredSecrets = Pick<EventBody, 'secrets'>

export function outputOf({ name }: Pick<ToolInfo, 'name'>): string {
  return `The output of tool "${name}"`
}

/** A tool's declaration about its output. */
type Declared<O> = Pick<Tool<never, O>, 'name' | 'provenance' | 'errorProvenance'>

/**
 * The labels that a tool declares; undefined if none are needed. Output without a declaration counts as outside data.
 */
export function provenanceOf<O>({ name, provenance }: Declared<O>, output: O): Provenance | undefined {
  const declared = typeof provenance === 'function' ? provenance(output) : provenance
  if (declared === BY_USER) return undefined
  return declared !== undefined && isProvenance(declared) ? declared : outsideData(`tool ${name}`)
}

/** An error message may contain third-party text like any output. It is not named as a source for users. */
export function provenanceOfError<O>(tool: Omit<Declared<O>, 'name'>): Provenance | undefined {
  const { provenance = outsideData(), errorProvenance = provenance } = tool
  if (errorProvenance === BY_USER) return undefined
  return isProvenance(errorProvenance) ? errorProvenance : outsideData()
}

/** The second argument of a tool's `run`. */
export function ioOf(site: CallSite, path: string, signal: AbortSignal): ToolIo {
  return {
    signal,
    idempotencyKey: idempotencyKey(site, path),
    epoch: site.call.host.epoch,
    provenance: site.provenance,
    get earlier() {
      return earlierCalls(site.call)
    },
    result: (id) => resultFor(site, id),
  }
}

function resultFor(site: CallSite, id: string): unknown {
  const { output, failedTask } = recallResult(site, id)
  if (failedTask === undefined) return output
  const reason = `[${id}] was found by the task "${failedTask}", which failed, so it is not used silently.`
  throw new TuttiError('ToolError', `${reason} Read it with read_result, and decide what of it can be used.`)
}

export function idempotencyKey({ call }: CallSite, path: string): string {
  return `${call.host.state.runId}/${path}`
}

/**
 * `ctx.sendBack`: ends the attempt and gives the reason to the next one. Not possible if the job made, or may have
 * made, an irreversible call: another attempt could not undo it and must not repeat it. Calls of a nested run are not
 * checked.
 */
export function sendBack({ call, attempt }: CallSite, rejection: Rejection, max: number): 'done' | 'limit' {
  attempt.assertAlive()
  const { host, job } = call
  const { effects = [], rejections = [] } = host.state.jobs.get(job.key) ?? {}
  const hasRuns = [...host.state.children.keys()].some((path) => path.startsWith(`${job.key}/`))
  if (effects.length > 0 || hasRuns) return 'done'
  if (rejections.length >= max) return 'limit'
  call.rejected = plainCopy(rejection, `What was said of ${job.key}`)
  throw new TuttiError('ResultRejected', rejection.text)
}
