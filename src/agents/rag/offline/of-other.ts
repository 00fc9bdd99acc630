import { bareMonthsIn } from '../../../language/figures/dates.ts'
import { figuresIn } from '../../../language/figures/read.ts'
import { unitCalled } from '../../../language/figures/units.ts'
import { isStopWord, stem } from '../../../language/tokens.ts'

/** What a text says of each kind of thing of which there are several: a month, a version, one of two parties. */
type Values = ReadonlyMap<string, ReadonlySet<string>>

/** A period without an end that is known to lie elsewhere. */
const ANY = '*'

/** Of each line a sentence speaks of one, or of both. */
const SIDES = `
  landlord lessor | tenant lessee
  buyer purchaser | seller vendor
  lender creditor | borrower debtor
  employer | employee
  licensor | licensee
  sender shipper | recipient consignee
  supplier | customer
  parent | child
  adult | child
  arrival | departure
  inbound incoming | outbound outgoing
  domestic | international
  minimum | maximum
  weekday | weekend
  permanent | temporary
  import | export`
  .trim()
  .split('\n')
  .map((line) => line.split('|').map((side) => new Set(side.trim().split(/\s+/).map(stem))))

const DIMENSIONS: Readonly<Record<string, readonly string[]>> = {
  weight: ['gram', 'pound'],
  length: ['metre', 'mile', 'foot', 'inch'],
  temperature: ['celsius', 'fahrenheit'],
}

/**
 * Whether a passage speaks of another one of a kind that the question names: of June where May was asked for, of version 2 where it
 * was 3, of the landlord where it was the tenant, of pounds where it was kilograms.
 * @param places texts that say it, the nearest first: what stands nearer decides
 */
export function isOfOther(question: string, places: readonly string[]): boolean {
  const asked = valuesIn(question, true)
  if (asked.size === 0) return false
  const held = places.map((text) => valuesIn(text, false))
  return [...asked].some(([kind, values]) => {
    const said = held.find((one) => one.has(kind))?.get(kind)
    return said !== undefined && !said.has(ANY) && ![...values].some((value) => said.has(value))
  })
}

const YEAR = /(?<![\p{L}\p{N}.,-])(?:19|20)\d\d(?![\p{N}%]|[.,]\d)/gu
/** From, to or around a point in time much else lies as well. */
const BOUND =
  /(?:\b(?:from|until|till|to|through|between|by|before|after|since|than|and)|[–-])\s+(?:(?:the )?\d{1,2}(?:st|nd|rd|th)?(?: of)?\s+)?$/i
const RELATIVE = /\b(this|current|last|previous|past|next|coming)\s+(year|month|week|quarter|season)\b/gi
const RELATIVE_OF: Readonly<Record<string, string>> = {
  current: 'this',
  previous: 'last',
  past: 'last',
  coming: 'next',
}
const PHASE = /\b(before|during|after)\s+(?:(?:the|a|an|our|my|your|their|its)\s+)?(\p{L}{3,})/giu
const NUMBERED = /(?<![\p{L}\p{N}])(\p{L}{3,})\s(\d+(?:\.\d+)*)(?![\p{L}\p{N}%:/]|[.,]\d|\s?(?:%|[-–]\s?\d))/gu
/** “The kennel in Oslo”, beside which there may be one in Kiel. */
const THING_IN =
  /(?:(?<!\p{L})(?:the|a|an|our|your|their|which|what|each|every) (?:\p{Ll}[\p{L}-]* ){0,2}?(?<thing>\p{Ll}[\p{L}-]*) )?(?<!\p{L})(?:[Ii]n|[Aa]t|[Nn]ear) (?:the )?(?<place>\p{Lu}\p{Ll}[\p{L}’'-]*)(?! \d)/gu
const ASKED_UNIT = /\b(?:in|how many) (\p{L}{2,})/giu

/** Things with a number behind them that tells one from another: “version 2”, “Model 7”. */
export function numberedIn(text: string): { readonly thing: string; readonly number: string }[] {
  return [...text.matchAll(NUMBERED)].flatMap(([, thing = '', number = '']) => {
    const word = thing.toLowerCase()
    const isThing = !isStopWord(word) && unitCalled(word) === undefined && bareMonthsIn(thing).length === 0
    return isThing ? [{ thing: word, number }] : []
  })
}

function valuesIn(text: string, isAsked: boolean): Values {
  const values = new Map<string, Set<string>>()
  const add = (kind: string, value: string): void => void values.set(kind, (values.get(kind) ?? new Set()).add(value))
  const addTime = (kind: string, value: string, at: number): void =>
    add(kind, !isAsked && BOUND.test(text.slice(0, at)) ? ANY : value)

  const figures = figuresIn(text)
  for (const figure of figures) {
    if (figure.kind !== 'date') continue
    for (const { months = [] } of figure.dates)
      for (const month of months) addTime('month', String(month), text.indexOf(figure.text))
  }
  for (const { at, dates } of bareMonthsIn(text)) {
    // “May I …?”
    if (
      /^May\b/.test(text.slice(at)) &&
      !/\b(?:in|of|on|since|until|by|and|or|last|next|this)\s$/i.test(text.slice(0, at))
    )
      continue
    for (const { months = [] } of dates) for (const month of months) addTime('month', String(month), at)
  }
  for (const { 0: year, index } of text.matchAll(YEAR)) addTime('year', year, index)
  for (const [, which = '', unit = ''] of text.toLowerCase().matchAll(RELATIVE))
    add(`relative ${unit}`, RELATIVE_OF[which] ?? which)
  for (const [, when = '', thing = ''] of text.toLowerCase().matchAll(PHASE))
    if (!isStopWord(thing)) add(`phase of ${stem(thing)}`, when)
  for (const { thing, number } of numberedIn(text)) add(`number of ${stem(thing)}`, number)
  const words = stemsOf(text)
  for (const [line, sides] of SIDES.entries())
    for (const [side, names] of sides.entries())
      if ([...names].some((name) => words.has(name))) add(`side ${line}`, String(side))
  const units = isAsked
    ? [...text.matchAll(ASKED_UNIT)].map(([, word = '']) => unitCalled(word)?.kind)
    : figures.map((one) => (one.kind === 'number' ? one.unit?.kind : undefined))
  for (const [dimension, kinds] of Object.entries(DIMENSIONS))
    for (const kind of units) if (kind !== undefined && kinds.includes(kind)) add(`unit of ${dimension}`, kind)
  return values
}

function placesIn(text: string): { readonly thing: string | undefined; readonly place: string }[] {
  return [...text.matchAll(THING_IN)].flatMap(({ groups }) => {
    const { thing, place = '' } = groups!
    return bareMonthsIn(place).length > 0 || place.endsWith('day') ? [] : [{ thing, place }]
  })
}

/**
 * Whether what is said is said of another place than the one that is asked for, or of another thing in that place. A place that is not
 * named is the one of the headings, or the only one of which is spoken around it.
 */
export function isElsewhere(question: string, said: string, headings: string, around: string): boolean {
  const asked = placesIn(question)
  const has = (text: string, name: string): boolean => new RegExp(`(?<!\\p{L})${name}`, 'u').test(text)
  const others = (text: string) => placesIn(text).filter(({ place }) => !asked.some((one) => one.place === place))
  return asked.some(({ thing, place }) => {
    const isSaid = has(said, place)
    if (!isSaid && (others(said).length > 0 || (!has(headings, place) && others(around).length > 0))) return true
    return thing !== undefined && ![said, headings].some((text) => stemsOf(text).has(stem(thing)))
  })
}

function stemsOf(text: string): Set<string> {
  return new Set((text.toLowerCase().match(/\p{L}+/gu) ?? []).map(stem))
}
