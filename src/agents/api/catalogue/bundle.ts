import { isObject } from '../../../shared/json.ts'

const FILES = 'x-tutti-files'
const MAX_FILES = 1_000
/** Parts of a document that no request is made from. */
const UNUSED = new Set(['responses', 'example', 'examples'])

/**
 * Puts the files that a document refers to into the document, and rewrites all references to lead within it.
 * @param place URL of the document; files of another origin are left out
 * @param read parses the file at a URL
 */
export async function bundle(
  document: Readonly<Record<string, unknown>>,
  place: string,
  read: (place: string) => Promise<unknown>,
): Promise<Readonly<Record<string, unknown>>> {
  const files = new Map<string, unknown>([[place, document]])
  for (const [at, file] of files) {
    for (const node of referencesIn(file)) {
      const ref = node['$ref']
      if (!URL.canParse(ref, at)) continue
      const target = new URL(ref, at)
      const pointer = target.hash.slice(1)
      target.hash = ''
      const { href, protocol, host } = target
      const { protocol: ownProtocol, host: ownHost } = new URL(place)
      if (protocol !== ownProtocol || host !== ownHost) continue
      if (!files.has(href)) {
        if (files.size >= MAX_FILES) throw new Error(`it refers to more than ${MAX_FILES} files`)
        files.set(href, await read(href))
      }
      // As a JSON pointer within a URL (RFC 6901, section 6).
      node['$ref'] =
        href === place ? `#${pointer}` : `#/${FILES}/${encodeURIComponent(href.replaceAll('~', '~0'))}${pointer}`
    }
  }
  files.delete(place)
  return { ...document, [FILES]: Object.fromEntries(files) }
}

/** Whether a text has a reference to another file. */
export function hasForeignReference(text: string): boolean {
  return /\$ref['"]?\s*:\s*['"]?[^\s'"#]/.test(text)
}

function referencesIn(file: unknown): { $ref: string }[] {
  const visited = new Set<object>()
  const found: { $ref: string }[] = []
  const left: unknown[] = [file]
  while (left.length > 0) {
    const node = left.pop()
    if (typeof node !== 'object' || node === null || visited.has(node)) continue
    visited.add(node)
    if (isObject(node) && typeof node['$ref'] === 'string') found.push(node as { $ref: string })
    for (const [key, inner] of Object.entries(node)) if (!UNUSED.has(key)) left.push(inner)
  }
  return found
}
