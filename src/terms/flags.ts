import { isMoney, qualifiedName } from './catalogue.ts'
import type { Attribute, Catalogue } from './catalogue.ts'
import { flagValues } from './flag-values.ts'
import type { NamedToken, Names } from './names.ts'
import { forms } from './words.ts'
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
