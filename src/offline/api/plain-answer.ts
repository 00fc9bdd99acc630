import { artifactLocation } from '../../domain/artifacts.ts'
import { localeProfile } from '../../shared/locale.ts'
import { truncate, isObject } from '../../shared/json.ts'
import type { ApiAnswer } from '../../agents/api/answer.ts'

const MAX_FIELDS = 12
const MAX_TEXT = 600

/** What a request returned, in a few words. */
export function apiAnswerText(reply: ApiAnswer, locale?: string): string {
  const { number } = localeProfile(locale)
  const { method, tabular, kind, artifact, isCut, leftOut = [] } = reply
  const { pathname, searchParams } = new URL(reply.url)
  const isRead = method === 'GET' || method === 'HEAD'
  const kept = artifact === undefined ? '' : artifactLocation(artifact)
  const filters = [...searchParams].map(([name, value]) => `${name} ${value}`).join(', ')
  const limits = filters === '' ? '' : ` (${filters})`
  const body = (): string => {
    if (kind === 'empty') return isRead ? 'No data was returned.' : ''
    if (kind === 'binary') {
      const size = `${reply.mediaType || 'unknown type'}, ${number(reply.bytes)} bytes`
      return `The answer is a file (${size}).${kept === '' ? '' : ` It is kept ${kept}.`}`
    }
    if (tabular === undefined) return isObject(reply.json) ? fieldsOf(reply.json, number) : textOf(reply)
    if (tabular.rowCount === 0) return `No data was returned${limits}.`
    const count = `${tabular.truncated === true ? 'At least ' : ''}${number(tabular.rowCount)}`
    return `${count} ${nounOf(pathname, tabular.rowCount)} found${limits}.`
  }
  return [
    isRead ? '' : `Done: ${method} ${pathname} was answered with ${reply.status}.`,
    body(),
    isCut && kind !== 'binary'
      ? `Not the whole answer is shown${kept === '' ? '' : `; more of it is kept ${kept}`}.`
      : '',
    leftOut.length === 0
      ? ''
      : `The request went without ${leftOut.map((name) => `"${truncate(name, 60)}"`).join(', ')}.`,
  ]
    .filter(Boolean)
    .join(' ')
}

function textOf({ text, json }: ApiAnswer): string {
  return truncate(text ?? JSON.stringify(json) ?? '', MAX_TEXT)
}

function nounOf(pathname: string, count: number): string {
  const last = pathname.split('/').findLast((segment) => /^[a-z][a-z_-]*s$/i.test(segment))
  if (last === undefined || count === 1) return count === 1 ? 'record was' : 'records were'
  return `${last.replace(/[-_]/g, ' ')} were`
}

function fieldsOf(record: Readonly<Record<string, unknown>>, number: (value: number) => string): string {
  const flat = Object.entries(record).flatMap(([key, value]): [string, unknown][] =>
    isObject(value) ? Object.entries(value).map(([inner, deep]) => [`${key}.${inner}`, deep]) : [[key, value]],
  )
  const shown = flat.filter(([, value]) => value !== null && value !== '' && typeof value !== 'object')
  const texts = shown.slice(0, MAX_FIELDS).map(([key, value]) => {
    const isCode = /id$|year|code|number/i.test(key)
    return `${key}: ${typeof value === 'number' && !isCode ? number(value) : String(value)}`
  })
  return texts.length === 0 ? `The answer is ${truncate(JSON.stringify(record), MAX_TEXT)}.` : `${texts.join(', ')}.`
}
