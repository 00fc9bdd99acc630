import { isProvenance } from '../../core/declaration.ts'
import type { EventBody } from '../../core/events.ts'
import { BY_USER, outsideData, type Provenance } from '../../core/provenance.ts'
import type { Tool, ToolInfo, ToolIo } from '../../core/tool.ts'
import { askPerson } from '../approvals/approvals.ts'
import { earlierCalls } from '../egress/earlier-calls.ts'
import type { CallSite } from './call-site.ts'
import { recall } from './turns.ts'

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

/** The words of an error may be a stranger's as well as those of an answer. */
export function provenanceOfError<O>({ name, provenance }: Declared<O>): Provenance | undefined {
  if (provenance === BY_USER) return undefined
  return isProvenance(provenance) ? provenance : outsideData(`an error of ${name}`)
}

/** What a tool is given beside its input. */
export function ioOf(site: CallSite, path: string, signal: AbortSignal): ToolIo {
  return {
    signal,
    idempotencyKey: idempotencyKey(site, path),
    epoch: site.call.host.epoch,
    question: (text) => askPerson(site, text),
    provenance: site.provenance,
    get earlier() {
      return earlierCalls(site.call)
    },
    result: (handle) => recall(site, handle)?.output,
  }
}

export function idempotencyKey({ call }: CallSite, path: string): string {
  return `${call.host.state.runId}/${path}`
}
