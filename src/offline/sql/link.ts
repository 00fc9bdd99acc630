import { exceedsRuleText } from '../../shared/rule-text.ts'
import type { DatabaseSchema } from '../../databases/schema.ts'
import { buildCatalogue } from '../../databases/glossary/catalogue.ts'
import { NO_TERMS, type Terms } from '../../databases/glossary/terms.ts'
import { itemsOf } from './items.ts'
import { tablesNamed } from './names.ts'
import { buildQuery } from './build-query.ts'
import { readItems } from './read.ts'
import { capital } from './resolve.ts'
import { NO_SUBJECT, declineQuestion, LinkRefusal, type Linked, type LinkOptions } from './types.ts'

/** Default row limit of lists. */
const MAX_ROWS = 100
const CHANGE =
  /^\W*(?:please\s)?(?:delete|remove|erase|drop|truncate|update|insert|set|cancel|rename|pay|ship|refund|fire|approve|close)\s/i

/** Links a question to a schema. A word without a meaning is named in the refusal. */
export async function linkQuestion(question: string, schema: DatabaseSchema, options: LinkOptions): Promise<Linked> {
  try {
    if (exceedsRuleText(question)) declineQuestion('Without a language model, the question is too long to be read.')
    const catalogue = buildCatalogue(schema, options.terms ?? NO_TERMS)
    if (CHANGE.test(question) && tablesNamed(question, catalogue).size > 0)
      return {
        kind: 'refusal',
        reason: 'Tutti only reads databases. Nothing was changed.',
        unknown: [],
        isChange: true,
      }
    const items = await itemsOf(question, catalogue, options)
    const reading = readItems(items, catalogue)
    const planned = buildQuery(reading, { catalogue, today: options.today, maxRows: options.maxRows ?? MAX_ROWS })
    const assumptions = [...reading.assumptions]
    const titles = planned.columns.map(({ title }) => title).join(', ')
    return {
      kind: 'query',
      ...planned,
      explanation: `${capital(titles)}${planned.where}.`,
      confidence: Math.max(0.5, 0.95 - 0.1 * assumptions.length),
      assumptions,
    }
  } catch (error) {
    if (!(error instanceof LinkRefusal)) throw error
    return { kind: 'refusal', reason: error.message, unknown: error.unknown }
  }
}

/** Whether a question would be understood. Capitalised words, and one other unless strict, may be values. */
export async function isUnderstoodBySql(
  question: string,
  schema: DatabaseSchema,
  { isStrict, ...options }: { readonly today: string; readonly terms?: Terms; readonly isStrict?: boolean },
): Promise<boolean> {
  const none = { ...options, lookup: async (terms: readonly string[]) => terms.map(() => []) }
  const linked = await linkQuestion(question, schema, none)
  if (linked.kind !== 'refusal' || linked.isChange === true) return true
  const { unknown } = linked
  const isValue = (word: string): boolean => /^\p{Lu}|\d/u.test(word) && !question.startsWith(word)
  if (unknown.length === 0 || unknown.filter((word) => !isValue(word)).length > (isStrict ? 0 : 1)) return false
  const shorter = unknown.reduce((text, word) => text.replace(`= ${word}`, ' ').replace(word, ' '), question)
  const linkedRest = await linkQuestion(shorter, schema, none)
  return linkedRest.kind !== 'refusal' || (linkedRest.reason === NO_SUBJECT && unknown.every(isValue))
}
