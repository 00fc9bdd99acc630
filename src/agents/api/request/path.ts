import { TuttiError } from '../../../core/errors.ts'

/**
 * Puts values into a path; `:id` and `{id}` are the same (SPEC P6). Values are encoded, so that none can add a segment.
 * @throws TuttiError `PathResolutionError` naming the placeholders that are left, or a value that cannot stand in a path
 */
export function renderPath(template: string, params: Readonly<Record<string, unknown>>): string {
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
    return encoded(name, value)
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

function encoded(name: string, value: unknown): string {
  const text = String(value)
  if (typeof value === 'object' || leadsElsewhere(text)) {
    throw new TuttiError('PathResolutionError', `The value of "${name}" cannot stand in a path.`)
  }
  return encodeURIComponent(text)
}

/** Servers and proxies take these away from a path, some of them after decoding it once more. */
function leadsElsewhere(value: string): boolean {
  let text = value
  for (let encodings = 0; encodings < 5; encodings++) {
    const plain = text.normalize('NFKC')
    // Tomcat and others drop what follows a semicolon in a segment.
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

/** A query in the style of OpenAPI: lists as `a=1&a=2`, or as `a=1,2` where the parameter says so. Empty values go. */
export function renderQuery(
  params: Readonly<Record<string, unknown>>,
  isExploded: (name: string) => boolean = () => true,
): string {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(params)) {
    if (Array.isArray(value) && isExploded(name)) for (const entry of value) query.append(name, String(entry))
    else if (value !== undefined && value !== null)
      query.set(name, Array.isArray(value) ? value.join(',') : String(value))
  }
  return query.toString()
}
