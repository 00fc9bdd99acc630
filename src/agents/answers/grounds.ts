import { isWordedByModel } from '../../core/answer-format.ts'
import type { ActorContext, RoleContext } from '../../core/actor.ts'
import { latestAttempt } from '../../core/attempts.ts'
import type { Citation } from '../../core/citation.ts'
import { localeProfile } from '../../core/locale.ts'
import { isObject } from '../../core/outside.ts'
import type { AgentResult } from '../../core/response.ts'
import type { Source } from '../../core/result.ts'
import { pageInWords } from '../../core/sheets.ts'
import { FIND_SKILLS } from '../../core/skill.ts'
import type { CallRecord } from '../../core/state.ts'
import { transcriptKeys } from '../../core/transcript.ts'
import { addDays, isDay } from '../../language/days.ts'
import { Evidence } from '../../language/figures/evidence.ts'
import { unitWordOf } from '../../language/figures/units.ts'
import { lastDayOf, periodIn } from '../../language/periods.ts'

/** Characters of what one tool gave back; what stands behind them is not looked at. */
const MOST_READ = 1_000_000

/** What an answer is held against, source by source. */
export interface AnswerGrounds {
  readonly common: Evidence
  readonly found: readonly Evidence[]
  readonly byTask: ReadonlyMap<string, Evidence>
  /** By the numbers of the citations. */
  readonly byNumber: ReadonlyMap<number, Evidence>
  readonly decimalComma?: boolean
}

/** Question, profile, conversation and day, and what each agent's tools came back with. */
export function groundsOf(
  ctx: RoleContext,
  results: readonly AgentResult[],
  citations: readonly Citation[],
): AnswerGrounds {
  const succeeded = results.filter(({ status }) => status === 'succeeded')
  const outputs = new Map(succeeded.map(({ task }) => [task, outputsOf(ctx, task)]))
  return groundsIn(commonEvidence(ctx, instructionsIn(ctx)), outputs, succeeded, citations, ctx.request.locale)
}

/** The same from what tools gave back, by task. */
export function groundsIn(
  common: Evidence,
  outputs: ReadonlyMap<string, readonly Output[]>,
  succeeded: readonly AgentResult[],
  citations: readonly Citation[],
  locale: string | undefined,
): AnswerGrounds {
  const byTask = new Map(succeeded.map((result) => [result.task, evidenceOf(result, outputs.get(result.task)!)]))
  const byNumber = new Map(
    citations.map(({ n, source, agent }) => {
      const own = succeeded.filter((result) => result.agent === agent && result.sources.includes(source))
      const passages = own.flatMap(({ task }) => placesIn(outputs.get(task)!, source))
      const tables = own.flatMap(({ tabular }) => tabular ?? [])
      const whole = own.flatMap(({ task }) => byTask.get(task) ?? [])[0]
      if (passages.length === 0 && whole !== undefined) return [n, whole]
      return [n, new Evidence({ texts: [...passages.flatMap(leaves), ...sourceTexts(source)], tables })]
    }),
  )
  return {
    common,
    found: [...byTask.values()],
    byTask,
    byNumber,
    ...(locale === undefined ? {} : { decimalComma: localeProfile(locale).number(0.5).includes(',') }),
  }
}

/** What people added to approvals. */
export function instructionsIn({ state }: RoleContext): readonly string[] {
  return [...state.approvals.values()].flatMap(({ instructions }) => instructions ?? [])
}

/** What the user said, is known of them, and was said before: nobody has to find that. */
export function commonEvidence(
  { request, recollection, now }: ActorContext,
  instructions: readonly string[],
): Evidence {
  const { question, context, systemPrompt = '' } = request
  const given = typeof context['current_date'] === 'string' ? context['current_date'] : ''
  const today = isDay(given.slice(0, 10)) ? given.slice(0, 10) : new Date(now()).toISOString().slice(0, 10)
  const period = periodIn(question, today)
  const last = period === undefined ? undefined : lastDayOf(period)
  const days = [today, period?.from, period?.before, last].filter((day) => day !== undefined)
  const { profile, summary, recent } = recollection
  return new Evidence({
    texts: [
      question,
      systemPrompt,
      ...days,
      ...leaves([context, profile, summary?.text, recent.map(({ text }) => text), instructions]),
    ],
    tables: [],
  })
}

export interface Output {
  readonly value: unknown
}

/** What its tools gave back, and what it did with those that change something. */
function outputsOf({ state, agents }: RoleContext, task: string): Output[] {
  const key = latestAttempt(state, task)?.key ?? task
  const effects = new Map(agents.flatMap(({ tools = [] }) => tools.map(({ name, effect }) => [name, effect])))
  const isDone = ({ name }: CallRecord): boolean => (effects.get(name) ?? 'read') !== 'read'
  const keys = transcriptKeys(key, state.transcripts)
  return keys
    .flatMap((each) => [...(state.calls.get(each)?.values() ?? [])])
    .flatMap((call) => {
      // What was done for another task is no evidence for this one.
      if (call.kind !== 'tool' || call.output === undefined || call.name === FIND_SKILLS) return []
      return [{ value: call.output }, ...(isDone(call) ? [{ value: call.input }] : [])]
    })
}

function evidenceOf(result: AgentResult, outputs: readonly Output[]): Evidence {
  const { answer = '', data, tabular, sources } = result
  // What a model wrote is no evidence where there is what it was written from.
  const own = isWordedByModel(result) && outputs.length > 0 ? [] : [answer, ...leaves(data)]
  const given = outputs.flatMap(({ value }) => leaves(value))
  return new Evidence({
    texts: [...own, ...given, ...comparedIn(data), ...sources.flatMap(sourceTexts)],
    tables: tabular === undefined ? [] : [tabular],
  })
}

/** What a program found in tables that were compared, whoever put it into words. */
function comparedIn(data: unknown): readonly string[] {
  const compared = isObject(data) ? data['compared'] : undefined
  return isObject(compared) && typeof compared['said'] === 'string' ? [compared['said']] : []
}

function sourceTexts({ kind, name, url = '', detail = '', excerpt = '', passage }: Source): string[] {
  const place = [
    name,
    url,
    excerpt,
    passage?.section ?? '',
    passage?.page === undefined ? '' : pageInWords(name, passage.page),
  ]
  return kind === 'database' ? [...place, ...literalsOf(detail)] : kind === 'computation' ? place : [...place, detail]
}

/** What a query compares with: its periods and filters. The day before an open end is the last one. */
function literalsOf(sql: string): string[] {
  const strings = [...sql.matchAll(/'((?:[^']|'')*)'/g)].map(([, text]) => text!)
  const ends = [...sql.matchAll(/<\s*(?:DATE|TIMESTAMP)?\s*'(\d{4}-\d\d-\d\d)/gi)].flatMap(([, day]) =>
    isDay(day) ? [addDays(day, -1)] : [],
  )
  const numbers = [...sql.matchAll(/(?:[=<>]|\bLIMIT|\bBETWEEN|\bAND)\s*(\d+(?:\.\d+)?)/gi)].map(
    ([, number]) => number!,
  )
  return [...strings, ...ends, ...numbers]
}

/** The parts of what tools gave back that are this very passage, page or mail. */
function placesIn(outputs: readonly Output[], { url, detail, passage }: Source): unknown[] {
  const found: unknown[] = []
  const isPlace = (one: Readonly<Record<string, unknown>>): boolean => {
    if (passage !== undefined) return one['start'] === passage.start && one['end'] === passage.end
    if (url !== undefined) return one['url'] === url
    return detail !== undefined && one['id'] === detail
  }
  const walk = (value: unknown): void => {
    if (!isRecord(value)) return
    // A passage is shown with what stands before and after it.
    if (isPlace(value) || isAround(value, passage)) found.push(value)
    else for (const inner of Object.values(value)) walk(inner)
  }
  for (const { value } of outputs) walk(value)
  return found
}

/** Whether it is a passage of which one page, or some rows, are cited. */
function isAround({ chunk, document }: Readonly<Record<string, unknown>>, passage: Source['passage']): boolean {
  if (passage === undefined || !isRecord(chunk) || !isRecord(document)) return false
  const isSame = document['documentId'] === passage.documentId
  return isSame && Number(chunk['start']) <= passage.start && Number(chunk['end']) >= passage.end
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null
}

/** Of a passage what a reader sees: not its length, its place in the file, or what a model said of the document. */
function asRead(value: object): object {
  const { chunk, document, before, after } = value as Readonly<Record<string, Readonly<Record<string, unknown>>>>
  if (chunk === undefined || document === undefined) return value
  return {
    before,
    text: chunk['text'],
    section: chunk['section'],
    page: chunk['page'],
    name: document['name'],
    date: document['date'],
    after,
  }
}

/** The texts and numbers in a value. */
export function leaves(value: unknown): string[] {
  const found: string[] = []
  let room = MOST_READ
  const walk = (inner: unknown, name = ''): void => {
    if (room <= 0) return
    if (typeof inner === 'string' || typeof inner === 'number') {
      found.push(typeof inner === 'number' ? `${inner} ${unitWordOf(name)}`.trim() : inner)
      room -= found.at(-1)!.length
    } else if (typeof inner === 'object' && inner !== null) {
      for (const [key, one] of Object.entries(asRead(inner))) walk(one, key)
    }
  }
  walk(value)
  return found
}
