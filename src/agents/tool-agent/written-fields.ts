import { isObject } from '../../shared/json.ts'

const QUOTED = '"([^"]*)"|“([^”]*)”|«([^»]*)»|`([^`]*)`|\'([^\'\\n]*)\'(?![\\p{L}\\p{N}])'
const BARE = '(-?[^\\s"“«`\'<>,;][^\\s"<>,;]*(?<![.?!])|[^\\s"“«`\'<>,;.?!]|(?<==[ \\t]*)\\.{1,2}(?=[\\s,;]|$))'
const FIELD = new RegExp(
  `(?<![\\p{L}\\p{N}_-])([\\p{L}_][\\p{L}\\p{N}_-]{0,63})\\s*([=:])\\s*(?:${QUOTED}|${BARE})`,
  'gu',
)
/** A bare text with another word behind it may be cut short: `message=hello world`. */
const CONTINUES =
  /^[ \t]+(?!(?:and|then|or|to|in|into|on|of|from|with|using|by|for|via|at|as|please)\b|[\p{L}_][\p{L}\p{N}_-]*\s*[=:])[\p{L}\p{N}]/iu

export interface WrittenFields {
  readonly input: Record<string, unknown>
  /** The text with blanks in place of the fields. */
  readonly left: string
  /** A field is written twice, is unknown, or has a bare text with words behind it. */
  readonly isOpen: boolean
}

/** Reads fields written as `name=value` or `name: value`. @param properties JSON Schema of the fields, by name */
export function writtenFields(text: string, properties: Readonly<Record<string, unknown>>): WrittenFields {
  const input: Record<string, unknown> = {}
  let isOpen = false
  const left = text.replaceAll(FIELD, (whole: string, name: string, sign: string, ...rest: unknown[]) => {
    const at = rest[6] as number
    const quoted = rest.slice(0, 5).find((value) => typeof value === 'string') as string | undefined
    const field = Object.hasOwn(properties, name) ? properties[name] : undefined
    const type = isObject(field) ? field['type'] : undefined
    const value = isObject(field) ? typed(quoted ?? (rest[5] as string | undefined) ?? '', type) : undefined
    if (value === undefined) {
      isOpen ||= sign === '='
      return whole
    }
    const isCut = quoted === undefined && type === 'string' && CONTINUES.test(text.slice(at + whole.length))
    isOpen ||= isCut || Object.hasOwn(input, name)
    input[name] = value
    return ' '.repeat(whole.length)
  })
  return { input, left, isOpen }
}

function typed(text: string, type: unknown): unknown {
  if (type === 'string') return text
  if (type === 'boolean') return /^(?:true|false)$/.test(text) ? text === 'true' : undefined
  const isNumber = (type === 'number' || type === 'integer') && /^-?\d+(?:\.\d+)?$/.test(text)
  return isNumber ? Number(text) : undefined
}
