import { exactNumber } from '../../../core/exact-number.ts'
import type { Param } from '../catalogue/types.ts'
import { isLimitParam, isPagingParam } from '../response/pages.ts'
import { isValueLike, meansNoun, valueAfter } from './question.ts'
import { stem, wordsOf } from '../../../language/tokens.ts'
import { boundValue, currencyConflict, paramFor, takeBounds } from './bounds.ts'
import { fromContext, isFree, use, type Reading } from './reading.ts'

export type Values = Record<string, string | number | boolean | (string | number | boolean)[]>

/** Values for query parameters, or what stands in the way of a clear reading. */
export type Filled = { readonly values: Values } | { readonly problem: string }

/** How an answer is arranged, not what is in it; a word of the question is not for these. */
const ARRANGEMENT =
  /^(sort|order(ing|[-_]?by|[-_]?dir.*)?$|fields|expand|include|embed|format|lang|locale|view|direction)/i

/** Assigns the words of the question to query and header parameters; each word once, and only where there is no choice. */
export function fillParams(params: readonly Param[], reading: Reading): Filled {
  const open = params.filter(({ in: place, name }) => place !== 'path' && !ARRANGEMENT.test(name))
  const values: Values = {}
  takeLimit(open, reading, values)
  const filters = open.filter((param) => !isPagingParam(param))
  for (const bound of takeBounds(reading)) {
    const param = paramFor(bound, filters, reading)
    if (param === 'several') return { problem: `more than one parameter could hold "${bound.said}"` }
    if (param === 'none') return { problem: `it has no parameter for "${bound.said}"` }
    const other = currencyConflict(bound, param)
    if (other !== undefined)
      return { problem: `its amounts are in ${other}, and the question says "${bound.currency}"` }
    values[param.name] = boundValue(bound, param)
  }
  const problem = takeChoices(filters, reading, values)
  if (problem !== undefined) return { problem }
  for (const param of filters) {
    if (values[param.name] !== undefined) continue
    const value = takeFlag(param, reading) ?? takeNamed(param, reading) ?? fromContext(reading, param.name)
    if (value !== undefined) values[param.name] = value
  }
  takeSearchText(filters, reading, values)
  return { values }
}

/** "First 5", "top 10". */
function takeLimit(params: readonly Param[], reading: Reading, values: Values): void {
  const limit = params.find(isLimitParam)
  if (limit === undefined) return
  reading.words.forEach((word, at) => {
    const count = reading.words[at + 1]?.text ?? ''
    if (!/^(first|top|latest|newest)$/.test(word.lower) || !/^\d{1,4}$/.test(count)) return
    values[limit.name] = Number(count)
    use(reading, at, 2)
  })
}

/** Words that are among the values a parameter may have. Returns a problem when a word could go into two parameters. */
function takeChoices(params: readonly Param[], reading: Reading, values: Values): string | undefined {
  const owners = new Map<number, string>()
  for (const param of params) {
    const found = choicesIn(param, reading)
    if (found.length === 0) continue
    const isList = param.type.type === 'array'
    if (found.length > 1 && !isList) {
      return `"${param.name}" takes one value, and the question names ${found.map(({ value }) => `"${value}"`).join(' and ')}`
    }
    for (const { at } of found) {
      const other = owners.get(at)
      if (other !== undefined) return `"${reading.words[at]!.text}" could be meant for "${other}" or "${param.name}"`
      owners.set(at, param.name)
    }
    values[param.name] = isList ? found.map(({ value }) => value) : found[0]!.value
  }
  for (const at of owners.keys()) use(reading, at)
  return undefined
}

function choicesIn({ type }: Param, reading: Reading): { value: string | number | boolean; at: number }[] {
  return (type.enum ?? type.items?.enum ?? []).flatMap((value) => {
    const parts = wordsOf(String(value))
    if (parts.length === 0 || typeof value === 'boolean' || String(value).length < 2) return []
    const at = reading.words.findIndex((_, i) =>
      parts.every((part, k) => isFree(reading, i + k) && reading.words[i + k]?.lower.replace(/[_-]/g, '') === part),
    )
    if (at < 0) {
      const joined = reading.words.findIndex((word) => wordsOf(word.text).join(' ') === parts.join(' '))
      return joined < 0 || !isFree(reading, joined) ? [] : [{ value, at: joined }]
    }
    for (let k = 1; k < parts.length; k++) use(reading, at + k)
    return [{ value, at }]
  })
}

/** "Archived orders", "orders that are not archived". */
function takeFlag({ name, type }: Param, reading: Reading): boolean | undefined {
  if (type.type !== 'boolean') return undefined
  const nouns = wordsOf(name)
    .filter((word) => !['is', 'has', 'only', 'with', 'show', 'include'].includes(word))
    .map(stem)
  const at = reading.words.findIndex(({ stem }, i) => isFree(reading, i) && nouns.includes(stem))
  if (at < 0 || !nouns.every((noun) => reading.words.some((word) => word.stem === noun))) return undefined
  use(reading, at)
  const before = reading.words[at - 1]?.lower ?? ''
  const isDenied = /^(not|no|non|without|never)$/.test(before)
  if (isDenied) use(reading, at - 1)
  return !isDenied
}

/** "Customer 17", "city Berlin", "customer_id=17", an e-mail address. */
function takeNamed({ name, type }: Param, reading: Reading): string | number | undefined {
  const { words } = reading
  const nouns = wordsOf(name)
    .filter((word) => !['id', 'uuid'].includes(word))
    .map(stem)
  const isNumber = type.type === 'integer' || type.type === 'number'
  for (const [at, word] of words.entries()) {
    if (!isFree(reading, at)) continue
    const pair = /^([\w.-]+)[=:](.+)$/.exec(word.text)
    if (pair?.[1]!.toLowerCase() === name.toLowerCase()) return taken(pair[2]!, at)
    if (nouns.includes('email') && /^[^@\s]+@[^@\s]+$/.test(word.text)) return taken(word.text, at)
    if (nouns.length === 0 || !meansNoun(word, nouns.at(-1)!)) continue
    const value = valueAfter(words, at)
    if (value >= 0 && isFree(reading, value)) return taken(words[value]!.text, value)
    const next = words[at + 1]
    if (!isNumber && next !== undefined && isFree(reading, at + 1) && /^\p{Lu}/u.test(next.text))
      return taken(next.text, at + 1)
  }
  return undefined

  function taken(text: string, at: number): string | number | undefined {
    if (isNumber && !/^-?\d+(\.\d+)?$/.test(text)) return undefined
    use(reading, at)
    return isNumber ? exactNumber(text) : text
  }
}

/** One quoted text, and one parameter that is searched by text. */
function takeSearchText(params: readonly Param[], reading: Reading, values: Values): void {
  const quoted = reading.words.flatMap((word, at) => (word.isQuoted && isFree(reading, at) ? [at] : []))
  const search = params.filter(({ name }) => /^(q|query|search|term|keywords?|text|name|title|filter)$/i.test(name))
  const free = search.filter(({ name }) => values[name] === undefined)
  if (quoted.length !== 1 || free.length !== 1 || !isValueLike(reading.words[quoted[0]!]!)) return
  values[free[0]!.name] = reading.words[quoted[0]!]!.text
  use(reading, quoted[0]!)
}
