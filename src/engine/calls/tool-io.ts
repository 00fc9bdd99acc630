import { isProvenance } from '../../domain/declaration.ts'
import { TuttiError } from '../../domain/errors.ts'
import type { EventBody } from '../../domain/events.ts'
import { BY_USER, combine, outsideData, type Provenance } from '../../domain/provenance.ts'
import type { Tool, ToolInfo, ToolIo } from '../../domain/tool.ts'
import { askPerson } from '../approvals/approvals.ts'
import { earlierCalls } from '../egress/earlier-calls.ts'
import type { CallSite } from './call-site.ts'
import { recallResult } from './recall.ts'

/** For the event of a call. */
export type DeclaredSecrets = Pick<EventBody, 'secrets'>

export function outputOf({ name }: Pick<ToolInfo, 'name'>): string {
  return `The output of tool "${name}"`
}

/** What a tool declares of its output. */
type Declared<O> = Pick<Tool<never, O>, 'name' | 'provenance'>

/** What a tool says of itself; undefined when that needs no mark. One that says nothing may return anybody's words. */
export function provenanceOf<O>({ name, provenance }: Declared<O>, output: O): Provenance | undefined {
  const declared = typeof provenance === 'function' ? provenance(output) : provenance
  if (declared === BY_USER) return undefined
  return declared !== undefined && isProvenance(declared) ? declared : outsideData(`tool ${name}`)
}

/** The words of an error may be a stranger's as well as those of an answer; it is no place to name to people. */
export function provenanceOfError<O>({ provenance }: Pick<Declared<O>, 'provenance'>): Provenance | undefined {
  if (provenance === BY_USER) return undefined
  return isProvenance(provenance) ? provenance : outsideData()
}

/** What a tool is given beside its input. */
export function ioOf<O>(site: CallSite, tool: Declared<O>, path: string, signal: AbortSignal): ToolIo {
  return {
    signal,
    idempotencyKey: idempotencyKey(site, path),
    epoch: site.call.host.epoch,
    // The words may be those of what the tool works with.
    question: (text) => askPerson({ ...site, provenance: combine([site.provenance, provenanceOfError(tool)]) }, text),
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
  const why = `[${id}] was found by the task "${failedTask}", which failed, so it is not used silently.`
  throw new TuttiError('ToolError', `${why} Read it with read_result, and decide what of it can be used.`)
}

export function idempotencyKey({ call }: CallSite, path: string): string {
  return `${call.host.state.runId}/${path}`
}
