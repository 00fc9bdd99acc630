import { onlyOf } from '../../core/only.ts'
import { given } from '../../core/given.ts'
import { entitySpokenOf } from './parser.ts'
import { isDate, type Entity } from '../../terms/catalogue.ts'
import { asMatch } from '../../terms/amounts.ts'
import { flagsNamed, isFlag } from '../../terms/flags.ts'
import { EXACT, type AttributeMatch } from '../../terms/names.ts'
import type { Parser, Rule } from './parser.ts'
import { addCondition, anchored, askFor, openRows, phraseAt, skip, word } from './parser.ts'
import { attributeAt, entityAt, isDatedLater } from './named-things.ts'
import type { Condition } from '../reading.ts'
import { listed, refuse } from '../refusal.ts'
import { meaning } from '../words/lexicon.ts'
import { dateOfEvent, eventOfVerb } from '../../terms/dates.ts'
import { isParticiple } from '../../terms/words.ts'

/** `active customers`, `that are discontinued`, `inactive products`. */
export const flagRule: Rule = (p) => {
  // “are still open”: what holds now, as all that the data say of a row.
  if (word(p, p.at) === 'still' && /^(is|are)$/.test(word(p, p.at - 1)) && !isDatedLater(p, p.at)) {
    const next = p.at + 1
    if (p.values.has(next) || flagAt(p, next) !== undefined) return ++p.at > 0
  }
  const { text, kind } = p.tokens[p.at] ?? {}
  if (kind !== 'word') return false
  const { at } = p
  if (!addFlag(p, at, true)) return false
  // “returned in May”, where a flag alone says that it was: no other date tells when.
  if (
    p.reading.conditions.at(-1)?.kind !== 'has' &&
    isParticiple(word(p, p.at - 1)) &&
    entityAt(p, p.at) === undefined &&
    isDatedLater(p, p.at)
  ) {
    const owner = entitySpokenOf(p)
    const date = owner && dateOfEvent(owner)
    if (date === undefined)
      return refuse(`I see no date that says when that was “${text}”. Please name the date, or ask without the time.`)
    p.reading.notes.push(`the time of what was “${text}” is ${date.entity.table.name}.${date.column.name}`)
  }
  return true
}

/** A yes-or-no column of the noun that it describes, or its opposite by prefix. */
export function addFlag(p: Parser, at: number, value: boolean): boolean {
  const found = flagAt(p, at, value)
  if (found === undefined) return false
  const isAlone = p.reading.measures.length === 0 && p.reading.ranking === undefined
  if (found.owner !== undefined && isAlone) askFor(p, found.owner)
  const { condition } = found
  addCondition(p, condition)
  p.at = found.next
  if (condition.kind === 'has' && entityAt(p, p.at) === undefined) openRows(p, condition)
  return true
}

interface Flag {
  readonly condition: Condition
  readonly next: number
  /** The table named with it: “vets on leave”. */
  readonly owner?: Entity
}

/** A yes-or-no column, or a date once it has come to pass. That of another table says nothing of this noun: it stops the question. */
export function flagAt(p: Parser, at: number, value = true, noun?: Entity): Flag | undefined {
  const named = attributeAt(p, at)
  const plain = named?.candidates.filter((c) => isFlag(p.catalogue, c.attribute) && c.score === EXACT) ?? []
  const opposite = /^(?:in|un|non)(.{4,})$/.exec(word(p, at))?.[1]
  const opposed = plain.length > 0 || opposite === undefined ? [] : flagsNamed(p.catalogue, opposite)
  const candidates = plain.length > 0 ? plain : opposed
  if (candidates.length === 0) return datedAt(p, at, value, noun)
  const length = plain.length > 0 ? (named?.length ?? 1) : 1
  const owner = plain.length > 0 && named?.owner !== undefined ? named.owner : (noun ?? describedBy(p, at + length))
  const own = owner === undefined ? candidates : candidates.filter((c) => c.attribute.entity === owner)
  const text = plain.length > 0 ? (named?.text ?? word(p, at)) : word(p, at)
  const dated = own.length === 0 ? datedAt(p, at, value, noun) : undefined
  if (dated !== undefined) return dated
  if (own.length === 0)
    return refuse(
      `“${text}” is not known of ${owner?.nouns}: it is a column of ${listed(candidates.map((c) => c.attribute.entity.nouns))}.`,
    )
  const attribute = { candidates: own, length: 0, text, ...given({ owner }) }
  const via = p.anchor?.entity === owner ? anchored(p) : owner === undefined ? {} : { anchor: owner }
  return {
    condition: { kind: 'flag', attribute, value: value === plain.length > 0, ...via },
    next: at + length,
    ...(plain.length > 0 && named?.owner !== undefined ? { owner: named.owner } : {}),
  }
}

/** The table whose rows an adjective before this place describes: the noun that follows, else the one spoken of. */
export function describedBy(p: Parser, start: number): Entity | undefined {
  let at = skip(p, start, 'and or ,')
  for (let n = 0; n < 3 && entityAt(p, at) === undefined; n++) {
    const isFlagWord = attributeAt(p, at)?.candidates.some((c) => isFlag(p.catalogue, c.attribute)) === true
    at += p.values.get(at)?.length ?? (isFlagWord ? 1 : 0)
  }
  return entityAt(p, at)?.entity ?? entitySpokenOf(p)
}

/** `discontinued products`, `unpaid bills`, `open tickets`: a date that is filled in once it has come to pass, such as `paid_on`. */
function datedAt(p: Parser, at: number, value: boolean, noun?: Entity): Flag | undefined {
  const said = word(p, at)
  const opposite = said === 'open' ? 'closed' : /^(?:un|non)(.{4,})$/.exec(said)?.[1]
  const isOpposite = opposite !== undefined && isParticiple(opposite)
  const text = isOpposite ? opposite : said
  const owner = isParticiple(text) ? (noun ?? describedBy(p, at + 1)) : undefined
  if (owner === undefined) return undefined
  const isTold = (words: readonly string[]): boolean =>
    words.filter((w) => !/^(on|at|date|time)$/.test(w)).join(' ') === text
  const attribute = onlyOf(owner.attributes.filter((a) => isDate(a) && a.column.nullable && isTold(a.words)))
  // Where a column tells the state, it may tell of more than open and closed.
  const hasState = owner.attributes.some((a) => /^(?:status|state|stage)$/.test(a.words.at(-1) ?? ''))
  if (said === 'open' && (attribute === undefined || hasState)) return undefined
  if (attribute === undefined) return eventOf(p, owner, text, value !== isOpposite, at + 1)
  const match = asMatch(attribute, attribute.words.join(' '), EXACT)
  if (said === 'open')
    p.reading.notes.push(`“open” is what has no ${attribute.entity.table.name}.${attribute.column.name}`)
  return {
    condition: { kind: 'missing', attribute: match, negated: value !== isOpposite, anchor: owner },
    next: at + 1,
  }
}

/** “treated hives”, “treated with thymol”: they have rows in a table whose name tells of the verb. */
function eventOf(p: Parser, owner: Entity, verb: string, value: boolean, next: number): Flag | undefined {
  const event = eventOfVerb(owner, verb, false)
  if (event === undefined) return undefined
  p.reading.notes.push(`“${verb}” is read as having ${event.nouns}`)
  return { condition: { kind: 'has', entity: event, negated: !value, conditions: [], anchor: owner }, next }
}

/** Columns that are filled in, or have nothing or zero. */
export function addFilled(p: Parser, attribute: AttributeMatch, negated: boolean, next: number): true {
  addCondition(p, { kind: 'missing', attribute, negated, orZero: true, ...anchored(p) })
  p.at = next
  return true
}

const PLACES = meaning({
  start: 'starting with,starts with,start with,beginning with,begins with,begin with',
  end: 'ending with,ends with,end with,ending in,ends in',
  anywhere: 'containing,contains,contain,with the word',
})

/** `starts with A`, `containing 'love'`: the text is taken as it stands. */
export function likeAt(p: Parser, start: number, attribute?: AttributeMatch): boolean {
  const at = skip(p, start, 'that which')
  const place = phraseAt(p, at, Object.keys(PLACES))
  const text = p.tokens[skip(p, at + (place?.length ?? 0), 'the word letter text')]
  const kind = place === undefined ? undefined : PLACES[place.phrase]
  if (place === undefined || kind === undefined || text === undefined || text.kind === 'comma') return false
  const isText =
    text.kind === 'quoted' || /(with| in)$/.test(place.phrase) || (attribute !== undefined && text.kind === 'word')
  if (!isText) return false
  addCondition(p, {
    kind: 'like',
    text: text.text,
    place: kind,
    ...anchored(p),
    ...given({ attribute }),
  })
  p.at = p.tokens.indexOf(text) + 1
  return true
}

export const likeRule: Rule = (p) => likeAt(p, p.at)
