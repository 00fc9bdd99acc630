import { qualifiedName } from '../../terms/catalogue.ts'
import type { Attribute, Catalogue } from '../../terms/catalogue.ts'
import type { Names } from './names.ts'
import { forms } from '../../terms/words.ts'
import type { Token } from '../words/tokens.ts'
import type { ValueLookup } from '../types.ts'

const YES = ['y', 'yes', '1', 'true', 't']
const NO = ['n', 'no', '0', 'false', 'f']

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
    if (attribute.isKey || (kind !== 'text' && kind !== 'other')) continue
    const column = [{ table: qualifiedName(attribute.entity), column: name }]
    const held = await Promise.all([...YES, ...NO].map((term) => lookup(term, column)))
    const values = (from: number, to: number): string[] =>
      held
        .slice(from, to)
        .flat()
        .map((h) => h.value)
    const [yes, no] = [values(0, YES.length), values(YES.length, held.length)]
    // A column of middle initials holds an N as well.
    if (yes.length === 1 && no.length === 1) catalogue.flags.set(attribute, { yes, no })
  }
}

/** Does the column say yes or no? */
export function isFlag({ flags }: Catalogue, attribute: Attribute): boolean {
  const { kind } = attribute.column
  return (
    flags.has(attribute) || kind === 'boolean' || (kind === 'number' && /^(is|has)$/.test(attribute.words[0] ?? ''))
  )
}
