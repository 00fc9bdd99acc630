import { z } from 'zod'
import { omitUndefined } from '../../shared/json.ts'
import type { RunPart, RunFilter, RunRecord } from '../../domain/store.ts'
import { runView } from '../../domain/run-view.ts'
import type { OwnedRuns } from '../../engine/owned-runs.ts'
import { cursorOf, toPage, pageSchema, pageQuery, parseCursor, type Place } from '../paging.ts'
import type { Resource } from '../context.ts'
import { moment, repeatable, searchWords, iso } from '../schemas.ts'
import { OUTCOMES, Outcomes, type Outcome, type RunDigest } from './outcomes.ts'
import { runSchema, statusSchema } from './schema.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR
/** Lengths of intervals to choose from. */
const STEPS = [HOUR / 12, HOUR / 4, HOUR, 3 * HOUR, 6 * HOUR, 12 * HOUR, DAY, 7 * DAY]

/** The earliest date that can be formatted. */
const FIRST = Date.parse('0000-01-01T00:00:00Z')

export const countsSchema = z
  .object({
    from: moment,
    until: moment,
    stepMs: z.number().int(),
    items: z
      .array(
        z.object({
          from: moment.describe('Start of the interval, which is `stepMs` long'),
          runs: z.number().int(),
          declined: z.number().int(),
          failed: z.number().int(),
        }),
      )
      .readonly()
      .describe('Intervals with runs, earliest first'),
    isCut: z.boolean().describe('Whether earlier runs are left out'),
  })
  .meta({ id: 'RunCounts' })

interface Counted {
  readonly createdAt: number
  readonly status: string
  readonly outcome?: Outcome | undefined
}

interface Stretch {
  /** Milliseconds since the epoch, as all times in this file. */
  readonly from?: number | undefined
  readonly until?: number | undefined
  readonly now: number
  /** Offset of the client's time zone from UTC. */
  readonly offsetMs: number
  /** Maximum of intervals. */
  readonly most: number
}

/** Number of runs by start time, in intervals of equal length that are aligned to hours and days. */
export function countsOf(
  runs: readonly Counted[],
  { offsetMs, most, now, ...span }: Stretch,
): Omit<z.infer<typeof countsSchema>, 'isCut'> {
  const from = span.from ?? Math.min((span.until ?? now) - DAY, ...runs.map(({ createdAt }) => createdAt))
  const until = Math.max(span.until ?? now, from)
  const stepMs = STEPS.find((one) => (until - from) / one < most) ?? Math.ceil((until - from) / most / DAY + 1) * DAY
  const beginOf = (at: number): number => Math.floor((at + offsetMs) / stepMs) * stepMs - offsetMs
  const items = new Map<number, { runs: number; declined: number; failed: number }>()
  for (const { createdAt, status, outcome } of runs) {
    const begin = beginOf(createdAt)
    const item = items.get(begin) ?? { runs: 0, declined: 0, failed: 0 }
    items.set(begin, item)
    item.runs++
    if (status === 'failed') item.failed++
    else if (outcome === 'declined') item.declined++
  }
  return {
    from: iso(Math.max(beginOf(from), FIRST)),
    until: iso(until),
    stepMs,
    items: [...items].toSorted(([a], [b]) => a - b).map(([begin, item]) => ({ from: iso(begin), ...item })),
  }
}

/** Number of logs read in parallel. `MAX_READ` is the maximum per page of a filter by outcome. */
const AT_ONCE = 20
const MAX_READ = 1_000

type ListedRun = RunRecord & { readonly digest?: RunDigest }

const filterQuery = z.object({
  status: statusSchema.optional(),
  outcome: z
    .enum(OUTCOMES)
    .optional()
    .describe('Only finished runs with this outcome; a page may have fewer items than `limit`'),
  strategy: z.string().max(100).optional(),
  agent: repeatable(z.string().max(500)).optional().describe('An agent that took part; repeat it for several'),
  model: z.string().max(300).optional().describe('A model that was used'),
  search: z.string().max(500).optional().describe('Words that must all occur in the question'),
  from: moment.optional(),
  until: moment.optional(),
  nested: z.stringbool().default(false).describe('Include runs that other runs started'),
})

const names = z.array(z.string()).readonly()
const partsSchema = z.object({ agents: names, models: names }).meta({ id: 'RunParts' })

function filterOf({
  status,
  strategy,
  agent,
  model,
  search,
  from,
  until,
  nested,
}: z.infer<typeof filterQuery>): RunFilter {
  return {
    words: searchWords(search),
    ...(status === undefined ? {} : { status: [status] }),
    ...(from === undefined ? {} : { from: Date.parse(from) }),
    ...(until === undefined ? {} : { until: Date.parse(until) }),
    ...(nested ? {} : { isFirst: true }),
    ...omitUndefined({ strategy, model, agents: agent }),
  }
}

/** The runs of the caller, with a summary of their logs. */
export const runList: Resource = async (routes, { app, clock }) => {
  const outcomes = new Outcomes()
  const withDigests = async (mine: OwnedRuns, runs: readonly RunRecord[]): Promise<ListedRun[]> => {
    const kept: ListedRun[] = []
    for (let at = 0; at < runs.length; at += AT_ONCE) {
      const some = runs.slice(at, at + AT_ONCE).map(async (run): Promise<ListedRun> => {
        return { ...run, ...omitUndefined({ digest: await outcomes.of(run, () => mine.events(run.runId)) }) }
      })
      kept.push(...(await Promise.all(some)))
    }
    return kept
  }
  /** Runs with this outcome. `rest` is the position to continue from if there may be more. */
  const findByOutcome = async (mine: OwnedRuns, filter: RunFilter, wanted: Outcome, limit: number) => {
    const matches: ListedRun[] = []
    let after = filter.after
    for (let read = 0; read < MAX_READ; read += AT_ONCE) {
      const runs = await mine.runs({ ...filter, status: ['finished'], limit: AT_ONCE, ...omitUndefined({ after }) })
      matches.push(...(await withDigests(mine, runs)).filter(({ digest }) => digest?.outcome === wanted))
      if (runs.length < AT_ONCE || matches.length > limit) return { found: matches }
      after = runs.at(-1)!
    }
    return { found: matches, rest: after }
  }
  routes.get(
    '/runs',
    {
      access: 'read',
      summary: 'The runs of the caller with their outcome, newest first',
      query: pageQuery.extend(filterQuery.shape),
      response: pageSchema(runSchema),
    },
    async ({ caller, query: { limit, cursor, ...query } }) => {
      const mine = app.as(caller.userId).runs
      const place = parseCursor(cursor)
      const { status, outcome } = query
      const filter: RunFilter = {
        ...filterOf(query),
        ...(place === undefined ? {} : { after: { createdAt: place.at, runId: place.id } }),
      }
      if (outcome === undefined) {
        const runs = await mine.runs({ ...filter, limit: limit + 1 })
        const last = runs.slice(limit)
        return pageOf([...(await withDigests(mine, runs.slice(0, limit))), ...last], limit)
      }
      if (status !== undefined && status !== 'finished') return { items: [] }
      const { found, rest } = await findByOutcome(mine, filter, outcome, limit)
      const shownPage = pageOf(found, limit)
      return shownPage.nextCursor === undefined && rest !== undefined
        ? { ...shownPage, nextCursor: cursorOf(placeOfRun(rest)) }
        : shownPage
    },
  )
  routes.get(
    '/runs/parts',
    {
      access: 'read',
      summary: 'Agents and models that took part in runs of the caller, as values for filters',
      response: partsSchema,
    },
    async ({ caller }) => {
      const parts = await app.as(caller.userId).runs.parts()
      const namesOfKind = (kind: RunPart['kind']) => parts.filter((part) => part.kind === kind).map(({ name }) => name)
      return { agents: namesOfKind('agent'), models: namesOfKind('model') }
    },
  )
  routes.get(
    '/runs/counts',
    {
      access: 'read',
      summary: `Number of runs of the caller over time, with those that failed or were declined; of the latest ${MAX_READ}`,
      query: filterQuery.extend({
        stretches: z.coerce.number().int().min(1).max(200).default(60).describe('Maximum of intervals'),
        offset: z.coerce.number().int().min(-1440).max(1440).default(0).describe('Offset from UTC in minutes'),
      }),
      response: countsSchema,
    },
    async ({ caller, query }) => {
      const mine = app.as(caller.userId).runs
      const filter = filterOf(query)
      const { status, outcome } = query
      const isNone = outcome !== undefined && status !== undefined && status !== 'finished'
      const records = isNone ? [] : await mine.runs({ ...filter, limit: MAX_READ + 1 })
      const read = await withDigests(mine, records.slice(0, MAX_READ))
      const runs = read.map(({ createdAt, status, digest }) => ({ createdAt, status, outcome: digest?.outcome }))
      return {
        ...countsOf(outcome === undefined ? runs : runs.filter((run) => run.outcome === outcome), {
          ...filter,
          now: clock.now(),
          offsetMs: query.offset * 60_000,
          most: query.stretches,
        }),
        isCut: records.length > MAX_READ,
      }
    },
  )
}

function placeOfRun({ createdAt, runId }: Pick<RunRecord, 'createdAt' | 'runId'>): Place {
  return { at: createdAt, id: runId }
}

function pageOf(runs: readonly ListedRun[], limit: number) {
  const page = toPage(runs, limit, placeOfRun)
  return { ...page, items: page.items.map(({ digest, ...run }) => ({ ...runView(run), ...digest })) }
}
