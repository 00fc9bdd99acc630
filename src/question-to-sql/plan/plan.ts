import { onlyOf } from '../../core/only.ts'
import { isDate, isNumeric } from '../../terms/catalogue.ts'
import { given } from '../../core/given.ts'
import { PRICE_WORDS } from '../words/lexicon.ts'
import { PAY } from '../../terms/vocabulary.ts'
import { sameWord } from '../../terms/words.ts'
import { planAverage } from './plan-average.ts'
import { describeConditions } from './explain.ts'
import { columnOf, planFigure } from './figures.ts'
import { planGrouped, planSingle } from './plan-groups.ts'
import { planAttributeRanking } from './plan-extremes.ts'
import { topLimit, type Planned } from './planned.ts'
import { planRows } from './plan-rows.ts'
import { planSeveral } from './plan-several.ts'
import { planShare } from './plan-share.ts'
import { planWithZero } from './plan-zero.ts'
import type { Condition, Dimension, Measure, Ranking, Reading } from '../reading.ts'
import { refuse } from '../refusal.ts'
import { nameOf, type PlanContext } from './scope.ts'
import { settle } from './settle.ts'

/** A question as it was understood, and what planning it takes. */
export interface Understood {
  readonly context: PlanContext
  readonly reading: Reading
}

/** Turns what was understood into one SELECT. */
export function planReading(context: PlanContext, reading: Reading): Planned {
  const planned = planUnsaid(context, reading)
  if (!reading.groups.every((group) => context.grouped.has(group)))
    refuse('I cannot compute this for each of the groups that it names. Please ask for it without “for each” or “per”.')
  // The parts of a share say themselves what they are of.
  return planned.shape === 'share'
    ? planned
    : { ...planned, where: describeConditions(reading.conditions).replace(/^,/, '') }
}

function planUnsaid(context: PlanContext, reading: Reading): Planned {
  settle(context, reading)
  addRole(context, reading)
  if (reading.measures.length > 0 && reading.conditions.some(isDatedLack))
    return refuse(
      'I do not know which of the two the time is about. Please ask for the figure and for what is left out apart.',
    )
  if (reading.share) return planShare(context, reading)
  if (reading.ranking !== undefined) return planRanking(context, reading)
  const several = severalMeasures(context, reading)
  if (several !== undefined) return planSeveral(context, reading, several, groupsOf(reading, several[0]))
  const measure = onlyMeasure(reading)
  if (measure !== undefined) return planAggregate(context, reading, measure)
  if (reading.counted !== undefined) return planAggregate(context, reading, countOf(context, reading, reading.counted))
  if (reading.groups.length > 0 && reading.subject?.kind === 'entity' && reading.selected.length === 0) {
    // “customers per country” asks how many.
    return planAggregate(context, { ...reading, counted: reading.subject }, countOf(context, reading, reading.subject))
  }
  if (reading.groups.length > 0)
    return refuse('I see a breakdown, but no figure to break down. Please ask for a number, a total or an average.')
  const { sort, limit } = reading
  const sorted = sort?.by.kind === 'attribute' ? sort.by.match : undefined
  // “the 5 rooms sorted by price”: those that equal the last are not cut off.
  const isRanked = limit !== undefined && sorted?.candidates.every((c) => isNumeric(c.attribute) || isDate(c.attribute))
  return sort !== undefined && sorted !== undefined && isRanked === true && reading.subject?.kind === 'entity'
    ? planAttributeRanking(context, reading, sorted, { direction: sort.direction, word: 'first' })
    : planRows(context, reading)
}

/** “revenue without returns in 2025”: the time may be that of the revenue. */
function isDatedLack(condition: Condition): boolean {
  return condition.kind === 'has' && condition.negated && condition.conditions.some((inner) => inner.kind === 'date')
}

/** `account managers`: not all employees, but those that a customer names as such. */
function addRole(context: PlanContext, reading: Reading): void {
  const listed = reading.counted ?? reading.subject
  if (listed?.kind !== 'entity' || reading.groups.some((g) => g === listed)) return
  if (listed.isLoose === true && reading.measures.length + reading.groups.length === 0 && reading.ranking === undefined)
    refuse(
      `Not all ${listed.entity.nouns} need be what the question calls them. Please ask for ${listed.entity.nouns} and say which.`,
    )
  if (listed.via === undefined) return
  if (reading.measures.length > 0 || reading.ranking?.by?.kind === 'measure') return
  const { entity, via } = listed
  if (reading.subject !== undefined && reading.counted !== undefined && reading.subject === listed) return
  reading.conditions.push({ kind: 'linked', edge: via, role: 'parent', conditions: [], anchor: entity })
  context.assumptions.add(
    `“${via.role.join(' ')}” is read as those of the ${entity.nouns} that ${via.from.table.name}.${via.keyColumn} names`,
  )
}

/** Two figures or more that the question joins by “and”, before any condition that may hold of one alone. */
function severalMeasures(context: PlanContext, reading: Reading): readonly Measure[] | undefined {
  const { counted } = reading
  if (reading.isJoined !== true || (counted !== undefined && counted.kind !== 'entity')) return undefined
  const named = [...distinctMeasures(reading.measures).values()]
  const measures = [...(counted === undefined ? [] : [countOf(context, reading, counted)]), ...named]
  const isSome = measures.length >= 2 && measures.length <= 4
  return isSome && !measures.some((m) => m.kind === 'average') ? measures : undefined
}

function distinctMeasures(measures: readonly Measure[]): ReadonlyMap<string, Measure> {
  const said = (m: Measure) => [
    'match' in m && m.match.text,
    'aggregate' in m && m.aggregate,
    'name' in m && m.name,
    'home' in m && [m.from, m.to].map(nameOf),
  ]
  return new Map(measures.map((m) => [JSON.stringify([m.kind, ...said(m)]), m]))
}

function onlyMeasure(reading: Reading): Measure | undefined {
  const kinds = distinctMeasures(reading.measures)
  // “total sales revenue” names the same figure twice.
  if (kinds.size > 1 || (kinds.size === 1 && reading.counted !== undefined))
    return refuse('The question asks for more than one figure. Please ask for one at a time.')
  return [...kinds.values()][0]
}

function countOf(context: PlanContext, reading: Reading, counted: Dimension): Measure {
  if (counted.kind === 'grain') return refuse(`I cannot count ${counted.grain}s.`)
  if (counted.kind === 'entity') return { kind: 'count', entity: counted.entity, ...given({ via: counted.via }) }
  const attribute = columnOf(context, counted.match, reading)
  context.assumptions.add(`different values of ${nameOf(attribute)} are counted`)
  return {
    kind: 'distinct',
    match: { ...counted.match, candidates: [{ attribute, score: 3 }], owner: attribute.entity },
  }
}

/** The one figure of a reading that asks for nothing else, and what it is broken down by. */
export function brokenDown({ context, reading }: Understood): {
  readonly measure: Measure
  readonly groups: readonly Dimension[]
} {
  settle(context, reading)
  addRole(context, reading)
  const { counted, share, ranking, sort, limit, selected } = reading
  if (selected.length > 0)
    return refuse(
      `“${selected[0]?.text}” is a column and no figure. Please say “total ${selected[0]?.text}” or “average …”.`,
    )
  const isOther = share || (ranking ?? sort ?? limit) !== undefined
  if (isOther || reading.conditions.some(isDatedLack))
    return refuse('I can compare one figure for each group, and no ranking or share. Please ask for it by itself.')
  const figure = onlyMeasure(reading) ?? (counted === undefined ? undefined : countOf(context, reading, counted))
  const measure = figure ?? refuse('I see a breakdown, but no figure to compare for each group.')
  return { measure, groups: groupsOf(reading, measure) }
}

/** One figure, or one figure for each group. */
function planAggregate(context: PlanContext, reading: Reading, measure: Measure): Planned {
  if (reading.selected.length > 0)
    return refuse(
      `I cannot show “${reading.selected[0]?.text}” next to a figure. Please ask for one of them, or for the figure per ${reading.selected[0]?.text}.`,
    )
  const groups = groupsOf(reading, measure)
  // “customers who ordered, per year”: the year of the order or of the customer?
  const isClause = reading.conditions.some(
    (c) => c.kind === 'metric' || (c.kind === 'has' && (c.entity === 'sale' || c.anchor !== undefined)),
  )
  if (isClause && groups.some((g) => g.kind === 'grain'))
    return refuse(
      'I do not know which date the time steps are about. Please count what has the date, such as “number of … per year”.',
    )
  if (measure.kind === 'average') return planAverage(context, reading, measure, groups)
  const named = planFigure({ context, dimensions: groups, conditions: reading.conditions }, measure)
  const isAverage = measure.kind === 'column' && measure.aggregate === 'avg'
  const isRow = (g: Dimension): boolean =>
    isAverage && g.kind === 'entity' && g.via === undefined && g.entity === named.base
  // “average weight per parcel”: each has one, and the average is that of all.
  const [each, ...others] = groups.filter((g) => !isRow(g) || context.grouped.add(g) === undefined)
  const spoken = [...context.hints, ...PRICE_WORDS, ...PAY]
  const isPlain = [...named.base.words, ...(named.column?.words ?? []).slice(0, -1)].some((own) =>
    spoken.some((w) => sameWord(w, own)),
  )
  const title = `${named.title} of the single ${named.base.nouns}`
  const figure = isAverage && each?.kind === 'entity' && !isPlain ? { ...named, title } : named
  if (each === undefined) return planSingle(context, reading, figure)
  const isListed = reading.sort === undefined && reading.limit === undefined && others.length === 0
  if (
    isListed &&
    each.kind === 'entity' &&
    each.isEach === true &&
    hasZero(measure, each) &&
    figure.base !== each.entity
  )
    return planWithZero(context, reading, figure, each)
  return planGrouped(context, reading, figure, [each, ...others])
}

/** `customers and their total revenue`: the subject is what the figure is broken down by, unless it is of the subject itself. */
function groupsOf({ groups, subject }: Reading, measure: Measure | undefined): readonly Dimension[] {
  const about = subject?.kind === 'entity' ? subject.entity : undefined
  const isOwn =
    (measure?.kind === 'count' && measure.entity === about) ||
    (measure?.kind === 'column' && measure.match.candidates.some((c) => c.attribute.entity === about))
  return subject === undefined || isOwn ? groups : [...groups, subject]
}

/** Of what has none of it, a count or a sum of sales is zero; those that a key names (`account managers`) have some. */
function hasZero({ kind }: Measure, { via }: Extract<Dimension, { kind: 'entity' }>): boolean {
  return via === undefined && (kind === 'count' || kind === 'money' || kind === 'units')
}

function isSameFigure(measure: Measure, by: Ranking): boolean {
  return by.kind === 'measure' && distinctMeasures([measure, by.measure]).size === 1
}

const PLACES: Readonly<Record<number, string>> = { 2: 'second', 3: 'third', 4: 'fourth', 5: 'fifth' }

/** `top 5 …`, `which … the most …`, `the longest …`. */
function planRanking(context: PlanContext, reading: Reading): Planned {
  const { ranking } = reading
  if (ranking === undefined) return refuse('There is no ranking.')
  const measured = onlyMeasure(reading)
  const by = ranking.by ?? (measured === undefined ? undefined : ({ kind: 'measure', measure: measured } as const))
  if (measured !== undefined && ranking.by !== undefined && !isSameFigure(measured, ranking.by))
    return refuse(
      `I cannot compute one figure of what another ranks. Please ask for what is “${ranking.word}” first, and then for its figure.`,
    )
  if (by === undefined)
    return refuse(`“${ranking.word}” by what? Please add for example “by revenue” or “by number of …”.`)
  if (reading.place !== undefined && (reading.limit !== undefined || reading.plural || reading.groups.length > 0))
    return refuse('One place of a ranking can be asked for a thing, as in “Which … has the second highest …?”.')
  if (reading.place !== undefined)
    context.assumptions.add(`equals share a place, and the ${PLACES[reading.place]} is shown`)
  if (reading.sort !== undefined || reading.counted !== undefined)
    return refuse('The question mixes a ranking with another order or count. Please ask for one at a time.')
  if (by.kind === 'attribute') return planAttributeRanking(context, reading, by.match, ranking)
  const subject = reading.subject ?? onlyOf(reading.groups)
  if (subject === undefined)
    return refuse(`I see a ranking, but not of what. Please name what the ${ranking.word} should be listed of.`)
  if (reading.selected.length > 0) return refuse(`I cannot show “${reading.selected[0]?.text}” next to a ranking.`)
  if (by.measure.kind === 'average' && reading.subject !== undefined && reading.groups.length > 0)
    return refuse('I cannot rank averages within each group. Please ask for one ranking over all.')
  if (by.measure.kind === 'average') {
    const order = { direction: ranking.direction, limit: topLimit(context, reading) }
    return planAverage(context, reading, by.measure, [subject], order)
  }
  const within = reading.subject === undefined ? [] : reading.groups
  const dimensions = [...within, subject]
  const figure = planFigure({ context, dimensions, conditions: reading.conditions }, by.measure)
  const isSelf = subject.kind === 'entity' && subject.via?.from === subject.entity
  if (subject.kind === 'entity' && figure.base === subject.entity && by.measure.kind === 'count' && !isSelf)
    return refuse(`I cannot rank ${subject.entity.nouns} by the number of ${subject.entity.nouns}.`)
  const limit = topLimit(context, reading)
  if (within.length > 0) {
    context.assumptions.add('what has none is not ranked')
    const order = { direction: ranking.direction, limit, within: within.length }
    return planGrouped(context, reading, figure, dimensions, order)
  }
  // “which Alpine article has the most sold”: it may be that none of those has any.
  const isOfSome = reading.conditions.some(
    (c) => c.kind === 'value' && subject.kind === 'entity' && c.anchor === subject.entity,
  )
  if ((ranking.direction === 'asc' || isOfSome) && subject.kind === 'entity' && hasZero(by.measure, subject))
    return planWithZero(context, reading, figure, subject, { limit, direction: ranking.direction })
  return planGrouped(context, reading, figure, [subject], { direction: ranking.direction, limit })
}
