import { isObject } from '../../../shared/json.ts'
import type { Param, ParamStyle } from '../catalogue/types.ts'

/** How a parameter is written in a request. @see https://spec.openapis.org/oas/v3.1.1.html#style-values */
type Writing = Pick<Param, 'name' | 'style' | 'explode'>

/** The delimiter of a list that is written as one value. */
export function delimiterOf(style: ParamStyle): string {
  return style === 'spaceDelimited' ? ' ' : style === 'pipeDelimited' ? '|' : ','
}

/** Names and values in a query, not yet encoded. Empty lists and objects have none. */
export function queryEntries(
  value: unknown,
  { name, style, explode }: Writing,
): readonly (readonly [string, string])[] {
  if (value === undefined || value === null) return []
  if (typeof value !== 'object') return [[name, String(value)]]
  if (style === 'json') return [[name, JSON.stringify(value)]]
  if (Array.isArray(value) && explode) return value.map((member) => [name, String(member)])
  if (isObject(value) && style === 'deepObject') {
    return Object.entries(value).flatMap(([key, inner]) => {
      return queryEntries(inner, { name: `${name}[${key}]`, style, explode })
    })
  }
  if (isObject(value) && explode && style === 'form') {
    return Object.entries(value).flatMap(([key, inner]) => queryEntries(inner, { name: key, style, explode }))
  }
  return [[name, membersOf(value).join(delimiterOf(style))]]
}

/** A value in a path or a header, not yet encoded. Text that is already written in this style stays. */
export function styledText(value: unknown, { name, style, explode }: Writing): string {
  const lead = style === 'label' ? '.' : style === 'matrix' ? ';' : ''
  const named = style === 'matrix' ? `${name}=` : ''
  if (typeof value !== 'object' || value === null) {
    const text = String(value)
    return lead !== '' && text.startsWith(lead) ? text : lead + named + text
  }
  if (!explode) return lead + named + membersOf(value).join(',')
  const members = Array.isArray(value)
    ? value.map((member) => named + String(member))
    : Object.entries(value).map(([key, inner]) => `${key}=${String(inner)}`)
  return lead + members.join(lead || ',')
}

/** Of a list its members; of an object its names and values in turn. */
function membersOf(value: object): unknown[] {
  return Array.isArray(value) ? value : Object.entries(value).flat()
}
