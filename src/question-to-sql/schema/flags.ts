import { qualifiedName } from '../../terms/catalogue.ts'
import type { Attribute, Catalogue } from '../../terms/catalogue.ts'
import { flagValues, NO, YES } from '../../terms/flag-values.ts'
import type { Names } from '../../terms/names.ts'
import { forms } from '../../terms/words.ts'
import type { Token } from '../words/tokens.ts'
import type { ValueLookup } from '../types.ts'

/** Which of the text columns that the question names say yes or no: 'Y' and 'N', '0' and '1'. Looked up in the data. */
export async function findFlags(
  catalogue: Catalogue,
  tokens: readonly Token[],
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
    const { kind, name } = attribute.column
    if (catalogue.flags.has(attribute) || attribute.isKey || (kind !== 'text' && kind !== 'other')) continue
    const column = [{ table: qualifiedName(attribute.entity), column: name }]
    const held = await Promise.all([...YES, ...NO].map((term) => lookup(term, column)))
    const values = flagValues(held.flat().map((hit) => hit.value))
    if (values !== undefined) catalogue.flags.set(attribute, values)
  }
}

/** Does the column say yes or no? */
export function isFlag({ flags }: Catalogue, attribute: Attribute): boolean {
  const { kind } = attribute.column
  return (
    flags.has(attribute) || kind === 'boolean' || (kind === 'number' && /^(is|has)$/.test(attribute.words[0] ?? ''))
  )
}
