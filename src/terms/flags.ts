import { isDate, isMoney, qualifiedName, withoutOwner } from './catalogue.ts'
import type { Attribute, Catalogue } from './catalogue.ts'
import { flagValues, NONE } from './flag-values.ts'
import { EXACT, type AttributeMatch, type NamedToken, type Names } from './names.ts'
import { forms, isParticiple, sameWord, singular } from './words.ts'
import type { ValueLookup } from './value-lookup.ts'

/** Which of the columns that the question names say yes or no: 'Y' and 'N', '0' and '1', 0 and 1. Looked up in the data. */
export async function findFlags(
  catalogue: Catalogue,
  tokens: readonly NamedToken[],
  names: Names,
  lookup: ValueLookup,
): Promise<void> {
  const opposites = tokens.flatMap((t) => /^(?:in|un|non)(.{4,})$/.exec(t.lower)?.slice(1) ?? [])
  const named = new Set([
    ...tokens.flatMap((_, at) => names.attributesAt(at)?.candidates.map((c) => c.attribute) ?? []),
    ...catalogue.entities
      .flatMap((e) => e.attributes)
      .filter((a) => opposites.some((word) => forms(a.words.at(-1) ?? '').has(word))),
  ])
  for (const attribute of named) {
    if (catalogue.flags.has(attribute) || attribute.isKey || !canBeFlag(attribute)) continue
    const held = await lookup.few?.(qualifiedName(attribute.entity), attribute.column.name, 2)
    const values = flagValues(held ?? [])
    if (values !== undefined) catalogue.flags.set(attribute, values)
  }
}

/** Texts that stand for no value in these columns, as they are stored. */
export async function findNone(
  columns: readonly Attribute[],
  lookup: ValueLookup,
): Promise<ReadonlyMap<Attribute, readonly string[]>> {
  const found = new Map<Attribute, readonly string[]>()
  for (const attribute of new Set(columns)) {
    if (attribute.column.kind !== 'text') continue
    const column = { table: qualifiedName(attribute.entity), column: attribute.column.name }
    const hits = await lookup(NONE, [column])
    found.set(attribute, [...new Set(hits.flat().map(({ value }) => value))])
  }
  return found
}

/** Text, or a whole number that is no amount. */
function canBeFlag(attribute: Attribute): boolean {
  const { kind, type } = attribute.column
  if (kind === 'number') return !isMoney(attribute) && !/real|double|float|,\s*[1-9]/.test(type)
  return kind === 'text' || kind === 'other'
}

/** Does the column say yes or no? */
export function isFlag({ flags }: Catalogue, attribute: Attribute): boolean {
  const { kind } = attribute.column
  return (
    flags.has(attribute) || kind === 'boolean' || (kind === 'number' && /^(is|has)$/.test(attribute.words[0] ?? ''))
  )
}

/** How yes is written in a column that says yes or no. */
export function yesOf(catalogue: Catalogue, attribute: Attribute | undefined): string | undefined {
  if (attribute === undefined || !isFlag(catalogue, attribute)) return undefined
  return String(catalogue.flags.get(attribute)?.yes[0] ?? (attribute.column.kind === 'boolean' ? true : 1))
}

/** What a column that says yes or no, or when, says of a row: `active`, `discontinued`. */
export function adjectiveOf({ candidates, text }: AttributeMatch, value: boolean): string {
  const [first] = candidates
  const name =
    first === undefined
      ? text
      : withoutOwner(first.attribute)
          .join(' ')
          .replace(/^is | (?:on|at)$/g, '')
  return value ? name : /^(in|un|non)$/.test(text.slice(0, -name.length)) && text.endsWith(name) ? text : `not ${name}`
}

/** A date in the past participle, `discontinued_on`, is filled in once that has happened. */
export function isDone({ candidates: [first] }: AttributeMatch): boolean {
  return first !== undefined && isDate(first.attribute) && isParticiple(first.attribute.words[0] ?? '')
}

const QUANTITY =
  /^(?:quantity|number|count|amount|stock|rating|score|level|size|age|weight|length|height|capacity|value)$/

/** A quantity may happen to be 0 or 1 in every row, and is no flag for that. */
export function saysYesOrNo(catalogue: Catalogue, attribute: Attribute): boolean {
  const last = attribute.words.at(-1) ?? ''
  return isFlag(catalogue, attribute) && attribute.unit === undefined && singular(last) === last && !QUANTITY.test(last)
}

/** The columns that say yes or no of what is called so. */
export function flagsNamed(catalogue: Catalogue, text: string): AttributeMatch['candidates'] {
  return catalogue.entities
    .flatMap((e) => e.attributes)
    .filter((a) => isFlag(catalogue, a) && sameWord(a.words.at(-1) ?? '', text))
    .map((attribute) => ({ attribute, score: EXACT }))
}
