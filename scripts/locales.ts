import { readFileSync, writeFileSync } from 'node:fs'
import { IntlMessageFormat } from 'intl-messageformat'

/**
 * Writes the types of the values in the web app's texts, src/web/locales/catalogue.ts, from en.json: `npm run locales`. Texts are in ICU message
 * syntax; one with values is a function of them.
 */

type Elements = ReturnType<IntlMessageFormat['getAst']>
type Entry = string | { readonly [name: string]: Entry }

/** Types of a message's elements, which the parser does not export as values. */
const [ARGUMENT, SELECT, PLURAL] = [1, 5, 6] as const
const folder = new URL('../src/web/locales/', import.meta.url)
const target = new URL('catalogue.ts', folder)

export function catalogueTypes(catalogue: Entry): string {
  const head = '/** The values of the texts of the web app. Generated from en.json by `npm run locales`. */'
  return `${head}\nexport interface TextValues {\n${fieldsOf(catalogue, '').join('\n')}\n}\n`
}

function fieldsOf(entry: Entry, path: string): string[] {
  if (typeof entry !== 'string') {
    return Object.entries(entry).flatMap(([name, inner]) => fieldsOf(inner, path === '' ? name : `${path}.${name}`))
  }
  const values = valuesOf(entry)
  if (values.size === 0) return []
  const fields = [...values].map(([name, type]) => `readonly ${name}: ${type}`)
  return [`readonly ${JSON.stringify(path)}: { ${fields.join('; ')} }`]
}

/** The values that a text needs, with their types. */
export function valuesOf(text: string): ReadonlyMap<string, string> {
  const values = new Map<string, string>()
  const visit = (elements: Elements): void => {
    for (const element of elements) {
      if (element.type === ARGUMENT) values.set(element.value, values.get(element.value) ?? 'string | number')
      if (element.type !== SELECT && element.type !== PLURAL) continue
      const isBoolean = element.type === SELECT && 'true' in element.options
      values.set(element.value, element.type === PLURAL ? 'number' : isBoolean ? 'boolean' : 'string | number')
      for (const option of Object.values(element.options)) visit(option.value)
    }
  }
  visit(new IntlMessageFormat(text, 'en', undefined, { ignoreTag: true }).getAst())
  return values
}

if (import.meta.filename === process.argv[1]) {
  writeFileSync(target, catalogueTypes(JSON.parse(readFileSync(new URL('en.json', folder), 'utf8')) as Entry))
}
