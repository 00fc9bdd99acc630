import type { RunState } from '../../domain/state.ts'
import type { EarlierCall, Leaving, ReadyTool } from '../../domain/tool.ts'
import { editedPayload, isApprovalAsked, requireApproval, type ApprovalAsk } from '../approvals/approvals.ts'
import { earlierCalls, jobPath, type CallSite } from '../calls/call-site.ts'
import { outgoingUserWords, returnedValues } from './user-words.ts'
import { weighWords } from './payload-weight.ts'
import { truncate } from '../../shared/json.ts'

/** Parts that the reason names; the payload shows all. */
const MAX_NAMED = 4
const MAX_NAMED_LENGTH = 80

/**
 * Requires approval for a reversible call that could leak private data: the turn has read private data and outside
 * data, the destination is not the operator's own, and the input has parts that are neither the user's words nor values
 * that this destination returned. All agents' calls are decided here.
 * @param callPath under which the call is counted, once
 * @param parse validates a payload that a user edited
 * @returns the input for the call, and how users see it; with a user's edits if there are any
 * @throws TuttiError `ApprovalDenied`, `ApprovalTimedOut` or `ApprovalExpired`
 */
export async function checkEgress<P, O>(
  site: CallSite,
  tool: ReadyTool<P, O>,
  { input, payload }: Sent<P>,
  callPath: string,
  parse: (payload: unknown) => P,
): Promise<Sent<P>> {
  const ask = askedBefore(site, tool, input, payload) ?? askFor(site, tool, { input, payload }, callPath)
  if (ask === undefined) return { input, payload }
  await requireApproval(site, { ...ask, parse })
  const edited = editedPayload(site, ask.path)
  return edited === undefined ? { input, payload } : { input: parse(edited), payload: edited }
}

interface Sent<P> {
  readonly input: P
  readonly payload: unknown
}

/** An earlier approval of the same call stays valid, even if the destination has received other values since. */
function askedBefore<P, O>(site: CallSite, tool: ReadyTool<P, O>, input: P, payload: unknown): ApprovalAsk | undefined {
  // Paths of calls outside transcripts count repetitions, so each path is used once.
  if (site.position === undefined) return undefined
  const path = jobPath(site, tool.name, input)
  return isApprovalAsked(site, { path }) ? { path, tool: tool.name, payload, reason: '', isRead: true } : undefined
}

function askFor<P, O>(
  site: CallSite,
  tool: ReadyTool<P, O>,
  { input, payload }: Sent<P>,
  callPath: string,
): ApprovalAsk | undefined {
  const { call, provenance } = site
  if (provenance.author !== 'outside' || !provenance.private || tool.reach === 'inside') return undefined
  const earlier = earlierCalls(call)
  const leaving = leavingOf(tool, input, earlier)
  if (leaving === undefined || call.host.approvals.allowsDestination(leaving.destination)) return undefined
  const { state } = call.host
  const to = JSON.stringify([tool.name, leaving.destination])
  const allowed = { texts: outgoingUserWords(call), values: knownBefore(tool, leaving, earlier) }
  const { unknown, bits } = weighWords(leaving, allowed, bitsBefore(state, to, callPath))
  if (unknown.length === 0) {
    // Before the call is made: others may be checked while it is under way.
    if (bits > 0) call.host.push({ type: 'egress.counted', key: call.job.key, path: callPath, to, bits })
    return undefined
  }
  const secrets = secretsIn(input, tool.secretFields)
  const reason = reasonOf(
    unknown.map((part) => (secrets.has(part) ? '***' : part)),
    leaving,
    site,
  )
  const { destination } = leaving
  const path = jobPath(site, tool.name, input)
  return { path, tool: tool.name, payload, reason, destination, isRead: true }
}

type OutgoingCall = Leaving & { readonly destination: string }

function leavingOf<P, O>(
  { name, reach }: ReadyTool<P, O>,
  input: P,
  earlier: readonly EarlierCall[],
): OutgoingCall | undefined {
  const leaving = typeof reach === 'function' ? reach(input, earlier) : { to: `the tool "${name}"`, parts: input }
  return leaving === undefined ? undefined : { destination: leaving.to, ...leaving }
}

/** Values that the destination knows: inputs of the job's earlier calls to it, and their outputs. */
function knownBefore<P, O>(
  tool: ReadyTool<P, O>,
  { destination, known: others = [] }: OutgoingCall,
  earlier: readonly EarlierCall[],
): ReadonlySet<string> {
  const known = new Set(others.flatMap((one) => [...returnedValues(one)]))
  for (const [i, one] of earlier.entries()) {
    if (one.tool !== tool.name) continue
    const sent = leavingOf(tool, one.input as P, earlier.slice(0, i))
    if (sent?.destination !== destination) continue
    for (const text of textsIn(sent.parts)) known.add(text)
    for (const value of returnedValues(one.output)) known.add(value)
  }
  return known
}

/** Bits that other calls of the run sent to the same destination, in all jobs. Approved calls do not count. */
function bitsBefore({ egressBits }: RunState, to: string, path: string): number {
  let bits = 0
  for (const [other, spent] of egressBits.get(to) ?? []) if (other !== path) bits += spent
  return bits
}

function textsIn(value: unknown): string[] {
  if (typeof value === 'string' || typeof value === 'number') return [String(value)]
  if (typeof value !== 'object' || value === null) return []
  return Array.isArray(value) ? value.flatMap(textsIn) : Object.entries(value).flatMap(textsIn)
}

function secretsIn(input: unknown, secretFields: readonly string[] = []): ReadonlySet<string> {
  if (typeof input !== 'object' || input === null) return new Set()
  return new Set(Object.entries(input).flatMap(([name, value]) => (secretFields.includes(name) ? textsIn(value) : [])))
}

function reasonOf(unknown: readonly string[], { to }: Leaving, { origin }: CallSite): string {
  const examples = unknown
    .slice(0, MAX_NAMED)
    .map((part) => `“${truncate(part.replaceAll(/\s+/g, ' '), MAX_NAMED_LENGTH)}”`)
  const suffix = unknown.length > MAX_NAMED ? ` and ${unknown.length - MAX_NAMED} more` : ''
  return `This call would carry ${examples.join(', ')}${suffix} to ${to}. These are not your own words, and ${origin}.`
}
