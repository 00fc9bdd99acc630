import { IntlMessageFormat } from 'intl-messageformat'
import type { TextValues } from './catalogue.ts'
import type english from './en.json'

/** Texts by name, in groups: strings in ICU message syntax. */
export interface Catalogue {
  readonly [name: string]: string | Catalogue
}

/** Groups whose texts are looked up by names that come at run time. */
type LookedUp = 'agent' | 'data.protection' | 'errors' | 'compare.fields'

type TextOf<Entry, Path extends string> = Path extends LookedUp
  ? Readonly<Record<string, string | undefined>>
  : Path extends keyof TextValues
    ? (values: TextValues[Path]) => string
    : Entry extends string
      ? string
      : { readonly [Name in keyof Entry & string]: TextOf<Entry[Name], `${Path}.${Name}`> }

/** The texts of a language, by their names in the catalogue. */
export type Words = { readonly [Name in keyof typeof english]: TextOf<(typeof english)[Name], Name> }

/** A catalogue's texts: strings, and functions of their values where a text has any. */
export function textsOf(catalogue: Catalogue, language: string): Words {
  const read = (entry: string | Catalogue): unknown => {
    if (typeof entry !== 'string') return mapValues(entry, read)
    if (!entry.includes('{')) return entry
    const format = new IntlMessageFormat(entry, language, undefined, { ignoreTag: true })
    const hasValues = format.getAst().some(({ type }) => type !== LITERAL)
    return hasValues ? (values: Record<string, unknown>) => format.format(values as never) : format.format()
  }
  return mapValues(catalogue, read) as unknown as Words
}

/** `TYPE.literal` of the parser, which exports it as a constant enum. */
const LITERAL = 0

function mapValues(group: Catalogue, map: (entry: string | Catalogue) => unknown): Record<string, unknown> {
  return Object.fromEntries(Object.entries(group).map(([name, entry]) => [name, map(entry)]))
}
