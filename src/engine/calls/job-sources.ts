import { isDeepStrictEqual } from 'node:util'
import { inputJobs, type Job } from '../../domain/job.ts'
import { describeSource } from '../../domain/answer.ts'
import { TuttiError } from '../../domain/errors.ts'
import { omitUndefined, pickDefined } from '../../shared/json.ts'
import type { FoundResult, Source } from '../../domain/result.ts'
import type { JobState, RunState } from '../../domain/state.ts'
import { tableIn, type Table } from '../../domain/table.ts'
import {
  callOfHandle,
  callOfSource,
  callsWithSources,
  plainId,
  sourcesIn,
  transcriptKeys,
  type CallPlace,
  type CallPosition,
} from '../../domain/transcript.ts'
import type { RecalledResult } from '../../domain/transcript-port.ts'
import { toolCallsOf } from '../../domain/turn.ts'
import { placeKey } from '../../grounding/citations.ts'
import { outcomeAt, type CallSite } from './call-site.ts'

/** Results that a message about an unknown id lists. */
const MAX_LISTED = 20
const MAX_DETAIL = 80

/**
 * The sources whose ids a job may use: those of its transcript, of the transcripts that it continues, of the results
 * that it depends on, and of earlier answers of the conversation.
 */
export function sourcesFor({ call: { host, job } }: CallSite): readonly Source[] {
  const { jobs, recollection, transcripts } = host.state
  const own = transcriptKeys(job.key, transcripts).flatMap((key) => transcripts.get(key) ?? [])
  const all = [
    ...(recollection?.results ?? []).flatMap(({ source }) => source ?? []),
    ...inputJobs(job, { jobs }).flatMap((input) => sourcesOfJob(host.state, input)),
    ...own.flatMap(sourcesIn),
  ]
  return [...new Map(all.map((source) => [source.id, source])).values()]
}

/** The sources of a job's result, then those of its other calls; each with its table. */
export function findSources(state: RunState, job: JobState): readonly FoundResult[] {
  const keys = jobsBehind(state, job)
  return sourcesOfJob(state, job).map((source) => ({
    source,
    ...omitUndefined({ table: contentOfSource(state, source, keys).table }),
  }))
}

/** Keys of the jobs that a job continues or replaces, or that any of them was given the results of, and its own key at the end. */
function jobsBehind(
  state: RunState,
  job: Omit<Job, 'input' | 'actor' | 'feedback' | 'skip'>,
  found = new Set<string>(),
): ReadonlySet<string> {
  if (found.has(job.key)) return found
  const before = [state.transcripts.get(job.key)?.continues, job.replaces].flatMap(
    (key = '') => state.jobs.get(key) ?? [],
  )
  for (const one of [...before, ...inputJobs(job, state)]) jobsBehind(state, one, found)
  return found.add(job.key)
}

function sourcesOfJob({ transcripts }: RunState, { key, result }: JobState): readonly Source[] {
  const answers = transcripts.get(key)?.turns.flatMap((turn) => [...turn.answers.values()]) ?? []
  const all = [...(result?.sources ?? []), ...answers.flatMap(({ sources = [] }) => sources)]
  return [...new Map(all.map((source) => [source.id, source])).values()]
}

/**
 * Assigns ids to sources. A result with a single source has an id of its own: the same for the same output of the same
 * tool, otherwise a new one.
 */
export function nameSources(
  { call: { host, job } }: CallSite,
  sources: readonly Source[],
  position: CallPosition | undefined,
): readonly Source[] {
  const { state } = host
  const withIds = host.sourceIds.name(sources)
  const [only, ...others] = withIds
  if (only === undefined || others.length > 0 || position === undefined) return withIds
  const place = placeKey(only)
  const tool = toolAt(state, { key: job.key, position })
  const output = outcomeAt(state, job.key, position)?.output
  const rows = tableIn(output)?.rows
  let isTaken = false
  for (const { source, table } of state.recollection?.results ?? []) {
    if (source === undefined || placeKey(source) !== place) continue
    if (rows !== undefined && isDeepStrictEqual(table?.rows, rows)) return [{ ...only, ...pickDefined(source, ['id']) }]
    isTaken ||= source.id === only.id
  }
  for (const { sources: found, ...call } of callsWithSources(state.transcripts)) {
    const [source, ...more] = found
    if (source === undefined || more.length > 0 || placeKey(source) !== place) continue
    const before = outcomeAt(state, call.key, call.position)
    const isSame = before !== undefined && toolAt(state, call) === tool && isDeepStrictEqual(before.output, output)
    if (isSame) return [{ ...only, ...pickDefined(source, ['id']) }]
    isTaken ||= source.id === only.id
  }
  return isTaken ? [host.sourceIds.renew(only)] : withIds
}

function toolAt({ transcripts }: RunState, { key, position: { turn, index } }: CallPlace): string | undefined {
  const message = transcripts.get(key)?.turns[turn - 1]?.message
  return message && toolCallsOf(message)[index]?.name
}

/** The content of a source: its own rows, and its own part of the text that a model read. */
interface SourceContent {
  readonly table?: Table
  readonly text?: string
}

/**
 * The content of a source of a run. The rows of a job without calls belong to its only source that can have rows.
 * @param keys of the jobs to search
 */
export function contentOfSource(
  state: RunState,
  source: Source,
  keys: Iterable<string> = state.jobs.keys(),
): SourceContent {
  const all = [...keys]
  const call = source.id === undefined ? undefined : callOfSource(source.id, state.transcripts, all)
  if (call !== undefined) {
    const { output, text = '', sources } = resultAt(state, call, source.id)!
    const isPart = sources.length > 1 && text.startsWith(`[${source.id}]`)
    return { text, ...omitUndefined({ table: isPart ? undefined : tableIn(output) }) }
  }
  const text = textInHead(state, source, all)
  if (text !== undefined) return { text }
  const place = placeKey(source)
  const results = all.flatMap((key) => state.jobs.get(key)?.result ?? [])
  const own = results.find(({ sources = [] }) => {
    const tabular = sources.length === 1 ? sources : sources.filter(({ kind }) => !TEXT_KINDS.has(kind))
    return tabular.length === 1 && placeKey(tabular[0]!) === place
  })
  if (own?.tabular !== undefined) return { table: own.tabular }
  const { table, content } = state.recollection?.results?.findLast((one) => one.source?.id === source.id) ?? {}
  return omitUndefined({ table, text: content })
}

const TEXT_KINDS: ReadonlySet<Source['kind']> = new Set(['document', 'mail', 'web'])

/** The text of a document that is part of a model's instructions. */
function textInHead({ transcripts }: RunState, { id }: Source, keys: readonly string[]): string | undefined {
  const heads = keys.flatMap((key) => transcripts.get(key)?.head ?? [])
  const head = heads.find(({ sources = [] }) => id !== undefined && sources.some((one) => one.id === id))
  return head && sectionOf(head.instructions.split('\n</documents>')[0]!, id!, head.sources!)
}

/** The part of a text that begins with the id of a source, up to that of another one. */
function sectionOf(text: string, id: string, sources: readonly Source[]): string | undefined {
  const lines = text.split('\n')
  const start = lines.findIndex((line) => line.startsWith(`[${id}]`))
  if (start < 0) return undefined
  const next = lines.slice(start + 1).findIndex((line) => sources.some((one) => line.startsWith(`[${one.id}]`)))
  return lines
    .slice(start, next < 0 ? undefined : start + 1 + next)
    .join('\n')
    .trimEnd()
}

/**
 * The result with an id or a handle: the tool's output and the text that the model was given, or only the text if the
 * journal no longer has the output.
 * @throws TuttiError `ToolError` for an id that the job may not use; the message lists the ids that it may use
 */
export function recallResult(site: CallSite, written: string): RecalledResult {
  const { host, job } = site.call
  const { state } = host
  const id = plainId(written)
  const own = callOfHandle(id, job.key, state.transcripts)
  const known = sourcesFor(site)
  const source = known.find((one) => one.id === id)
  const keys = jobsBehind(state, job)
  const found = source === undefined ? own : callOfSource(id, state.transcripts, keys)
  const result = (found && resultAt(state, found, id)) ?? (source && resultOfSource(state, source, keys))
  if (result === undefined) throw unknownResult(id, known)
  if (found !== undefined && found.key !== job.key)
    site.call.addReadLabels(state.jobs.get(found.key)?.result?.provenance)
  return result
}

/** @param id of a source: the text is its own part alone */
function resultAt(state: RunState, { key, position }: CallPlace, id = ''): RecalledResult | undefined {
  const turn = state.transcripts.get(key)?.turns[position.turn - 1]
  const answer = turn?.answers.get(position.index)
  if (turn === undefined || answer === undefined) return undefined
  const { text: shown, whole = shown, sources = [] } = answer
  const text = sources.length > 1 ? (sectionOf(whole, id, sources) ?? whole) : whole
  const { output } = outcomeAt(state, key, position) ?? {}
  const part = output === undefined ? undefined : toolCallsOf(turn.message)[position.index]
  const failedTask = state.jobs.get(key)?.result?.status === 'failed' ? key : undefined
  return { output: output ?? text, text, sources, ...omitUndefined({ part, failedTask }) }
}

/** Of the instructions, of an agent without a transcript, or of an earlier answer. */
function resultOfSource(state: RunState, source: Source, keys: ReadonlySet<string>): RecalledResult {
  const { table, text } = contentOfSource(state, source, keys)
  const jobs = [...keys].flatMap((key) => state.jobs.get(key) ?? [])
  const job = jobs.find(({ result }) => result?.sources?.some(({ id }) => id === source.id))
  const { answer, data, status } = job?.result ?? {}
  const fullContent = text ?? answer ?? data ?? source.excerpt ?? describeSource(source, Infinity)
  const output = table === undefined ? fullContent : { tabular: table }
  return { output, sources: [source], ...omitUndefined({ failedTask: status === 'failed' ? job!.key : undefined }) }
}

function unknownResult(id: string, known: readonly Source[]): TuttiError {
  const lines = known.slice(-MAX_LISTED).map((source) => `[${source.id}] ${describeSource(source, MAX_DETAIL)}`)
  const available = lines.length === 0 ? 'There are no results with an id yet.' : `Results by id:\n${lines.join('\n')}`
  return new TuttiError('ToolError', `There is no result "${id.slice(0, MAX_DETAIL)}". ${available}`)
}
