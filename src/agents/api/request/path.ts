import { TuttiError } from '../../../domain/errors.ts'
import type { Param } from '../catalogue/types.ts'
import { styledText } from './styles.ts'

/**
 * Fills in the parameters of a path; `:id` and `{id}` are the same. Values are encoded, so that none can add a segment.
 * @param declared the parameters of the operation; lists and objects are allowed where one is declared
 * @throws TuttiError `PathResolutionError` naming missing parameters, or a value that is not allowed in a path
 */
export function renderPath(
  template: string,
  params: Readonly<Record<string, unknown>>,
  declared: readonly Param[] = [],
): string {
  if (!/^\/(?!\/)/.test(template) || /[\\?#\s]/.test(template) || /(^|\/)\.{1,2}(\/|$)/.test(template)) {
    throw new TuttiError('PathResolutionError', `"${template.slice(0, 200)}" is not a path of an API.`)
  }
  const missing: string[] = []
  const path = template.replace(/\{([^{}]+)\}|(?<=\/):([A-Za-z_]\w*)/g, (_, braced?: string, colon?: string) => {
    const name = (braced ?? colon)!
    const value = params[name]
    if (value === undefined || value === null || value === '') {
      missing.push(name)
      return ''
    }
    return encoded(
      name,
      value,
      declared.find((param) => param.in === 'path' && param.name === name),
    )
  })
  if (missing.length === 0) return path
  const names = missing.map((name) => `"${name}"`).join(', ')
  throw new TuttiError(
    'PathResolutionError',
    `${template} needs ${names}; name it in the question or in the context.`,
    {
      details: { missing },
    },
  )
}

function encoded(name: string, value: unknown, param: Param | undefined): string {
  const isStyled = param !== undefined && (param.style !== 'simple' || /^(array|object)$/.test(param.type.type ?? ''))
  const text = isStyled ? styledText(value, param) : String(value)
  if ((!isStyled && typeof value === 'object') || leadsElsewhere(text)) {
    throw new TuttiError('PathResolutionError', `The value of "${name}" cannot stand in a path.`)
  }
  const plain = encodeURIComponent(text)
  return isStyled ? plain.replace(/%(?:2C|3B|3D)/g, decodeURIComponent) : plain
}

/** Servers and proxies take these away from a path, some of them after decoding it once more. */
function leadsElsewhere(value: string): boolean {
  let text = value
  for (let encodings = 0; encodings < 5; encodings++) {
    const plain = text.normalize('NFKC')
    // Tomcat and others ignore the part of a segment after a semicolon.
    const isDots = plain.split(/[/\\]/).some((part) => /^\.{1,2}(;.*)?$/s.test(part))
    if (isDots || /\p{Cc}/u.test(plain)) return true
    const decoded = text.replace(/%([0-7][0-9a-f])/gi, (_, code: string) =>
      String.fromCharCode(Number.parseInt(code, 16)),
    )
    if (decoded === text) return false
    text = decoded
  }
  return true
}
