import { isDate } from '../schema/catalogue.ts'
import type { Attribute } from '../schema/catalogue.ts'
import { EXACT } from '../schema/names.ts'
import type { AttributeMatch } from '../schema/names.ts'
import type { Parser, Rule } from './parser.ts'
import { addCondition, anchored, phraseAt, skip, subjectEntity, word } from './parser.ts'
import { attributeAt } from './named-things.ts'
import { sameWord } from '../words/words.ts'

/** `active customers`, `that are discontinued`, `inactive products`. */
export const flagRule: Rule = (p) => {
  if (p.tokens[p.at]?.kind !== 'word') return false
  return addFlag(p, p.at, true)
}

/** A yes-or-no column, or its opposite by prefix. */
export function addFlag(p: Parser, at: number, value: boolean): boolean {
  const attribute = attributeAt(p, at)
  const flags = attribute?.candidates.filter((c) => isFlag(c.attribute) && c.score === EXACT) ?? []
  if (attribute !== undefined && flags.length > 0) {
    addCondition(p, { kind: 'flag', attribute: { ...attribute, candidates: flags }, value, ...anchored(p) })
    p.at = at + attribute.length
    return true
  }
  if (addDated(p, at, value)) return true
  const opposite = /^(?:in|un|non)(.{4,})$/.exec(word(p, at))?.[1]
  if (opposite === undefined) return false
  const candidates = p.catalogue.entities
    .flatMap((e) => e.attributes)
    .filter((a) => isFlag(a) && sameWord(a.words.at(-1) ?? '', opposite))
    .map((a) => ({ attribute: a, score: EXACT }))
  if (candidates.length === 0) return false
  addCondition(p, {
    kind: 'flag',
    attribute: { candidates, length: 1, text: word(p, at) },
    value: !value,
    ...anchored(p),
  })
  p.at = at + 1
  return true
}

/** `discontinued products`: a date that is filled in once it has come to pass, such as `discontinued_on`. */
function addDated(p: Parser, at: number, value: boolean): boolean {
  const text = word(p, at)
  if (!text.endsWith('ed')) return false
  const owner = p.names.entitiesAt(at + 1)[0]?.entity ?? p.anchor?.entity ?? subjectEntity(p)
  if (owner === undefined) return false
  const hits = owner.attributes.filter(
    (a) => isDate(a) && a.column.nullable && a.words[0] === text && a.words.length === 2,
  )
  const [attribute, ...others] = hits
  if (attribute === undefined || others.length > 0) return false
  const match = { candidates: [{ attribute, score: EXACT }], owner, length: 1, text: attribute.words.join(' ') }
  addCondition(p, { kind: 'missing', attribute: match, negated: value, anchor: owner })
  p.at = at + 1
  return true
}

function isFlag(attribute: Attribute): boolean {
  const { kind } = attribute.column
  return kind === 'boolean' || (kind === 'number' && /^(is|has)$/.test(attribute.words[0] ?? ''))
}

const PLACES: Readonly<Record<string, 'start' | 'end' | 'anywhere'>> = {
  'starting with': 'start',
  'starts with': 'start',
  'start with': 'start',
  'beginning with': 'start',
  'begins with': 'start',
  'begin with': 'start',
  'ending with': 'end',
  'ends with': 'end',
  'end with': 'end',
  'ending in': 'end',
  'ends in': 'end',
  containing: 'anywhere',
  contains: 'anywhere',
  contain: 'anywhere',
  'with the word': 'anywhere',
}

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
    ...(attribute === undefined ? {} : { attribute }),
  })
  p.at = p.tokens.indexOf(text) + 1
  return true
}

export const likeRule: Rule = (p) => likeAt(p, p.at)
