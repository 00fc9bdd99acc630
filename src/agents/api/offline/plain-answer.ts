import { cut, isObject } from '../../../core/outside.ts'
import { placeOf } from '../../../core/artifacts.ts'
import { localeProfile } from '../../../core/locale.ts'
import type { ApiAnswer } from '../answer.ts'

const SHOWN_FIELDS = 12
const SHOWN_TEXT = 600

/** An answer in a few words, without a model. */
export function plainAnswer(reply: ApiAnswer, locale?: string): string {
  const { number } = localeProfile(locale)
  const { method, tabular: table } = reply
  const { pathname, searchParams } = new URL(reply.url)
  const isRead = method === 'GET' || method === 'HEAD'
  const done = isRead ? '' : `Done: ${method} ${pathname} was answered with ${reply.status}. `
  if (reply.kind === 'empty') return isRead ? 'No data was returned.' : done.trim()
  if (reply.kind === 'binary') {
    const kept = reply.artifact === undefined ? '' : ` It is kept ${placeOf(reply.artifact)}.`
    return `${done}The answer is a file (${reply.mediaType || 'unknown type'}, ${number(reply.bytes)} bytes).${kept}`
  }
  if (table !== undefined) {
    const filters = [...searchParams].map(([name, value]) => `${name} ${value}`)
    const limits = filters.length === 0 ? '' : ` (${filters.join(', ')})`
    if (table.rowCount === 0) return `${done}No data was returned${limits}.`
    const count = `${table.truncated === true ? 'At least ' : ''}${number(table.rowCount)}`
    return `${done}${count} ${nounOf(pathname, table.rowCount)} found${limits}.`
  }
  if (isObject(reply.json)) return `${done}${fieldsOf(reply.json, number)}`
  const text = reply.text ?? JSON.stringify(reply.json)
  return `${done}${cut(text, SHOWN_TEXT)}`
}

function nounOf(pathname: string, count: number): string {
  const last = pathname.split('/').findLast((segment) => /^[a-z][a-z_-]*s$/i.test(segment))
  if (last === undefined || count === 1) return count === 1 ? 'record was' : 'records were'
  return `${last.replace(/[-_]/g, ' ')} were`
}

function fieldsOf(record: Readonly<Record<string, unknown>>, number: (value: number) => string): string {
  const flat = Object.entries(record).flatMap(([key, value]) => {
    if (isObject(value))
      return Object.entries(value).map(([inner, deep]): [string, unknown] => [`${key}.${inner}`, deep])
    return [[key, value] as [string, unknown]]
  })
  const shown = flat.filter(([, value]) => value !== null && value !== '' && typeof value !== 'object')
  const texts = shown.slice(0, SHOWN_FIELDS).map(([key, value]) => {
    const isCode = /id$|year|code|number/i.test(key)
    return `${key}: ${typeof value === 'number' && !isCode ? number(value) : String(value)}`
  })
  return texts.length === 0 ? `The answer is ${JSON.stringify(record).slice(0, SHOWN_TEXT)}.` : `${texts.join(', ')}.`
}
