import { readFile } from 'node:fs/promises'
import { basename, extname, resolve } from 'node:path'
import { TuttiError } from '../../../core/errors.ts'
import type { HttpClient } from '../../../http/client.ts'
import { textOf as responseText } from '../../../http/text.ts'
import { openApiCatalogue } from './openapi.ts'
import { isObject } from '../../../core/outside.ts'
import { yamlCatalogue } from './yaml-catalogue.ts'
import type { Catalogue } from './types.ts'

/** Specifications are large, and loaded once. */
const MAX_BYTES = 50_000_000
/** Of objects and lists; the largest specification known has some two million. */
const MAX_NODES = 10_000_000
const MAX_DEPTH = 500

/**
 * Reads a catalogue from the text of a file: OpenAPI 3.0 or 3.1 as JSON or YAML, or Tutti's own YAML form.
 * @param name what the API is called in plans and sources; without it the file's own title
 * @throws TuttiError `ConfigurationError` saying what is wrong with the text
 */
export async function loadCatalogue(text: string, name?: string): Promise<Catalogue> {
  const label = name ?? 'the catalogue'
  const document = await parseDocument(text, label)
  const isOpenApi = isObject(document) && ('openapi' in document || 'swagger' in document)
  if (!isObject(document) || !(isOpenApi || 'endpoints' in document)) {
    throw notACatalogue(label, 'it is neither an OpenAPI document nor a list of endpoints')
  }
  const title = isObject(document['info']) ? document['info']['title'] : document['name']
  const named = name ?? (typeof title === 'string' && title.trim() !== '' ? title.trim() : 'api')
  return isOpenApi ? openApiCatalogue(document, named) : yamlCatalogue(document, named)
}

/**
 * Reads a catalogue from a file or, through the guarded client, from a URL. Servers given relative to that URL are made whole.
 * @throws TuttiError `ConfigurationError` when it cannot be read, `HttpRequestError` from the client
 */
export async function readCatalogue(
  location: string,
  { http, cwd, name }: { readonly http: HttpClient; readonly cwd: string; readonly name?: string },
): Promise<Catalogue> {
  if (!/^https?:\/\//i.test(location)) {
    return loadCatalogue(await readText(resolve(cwd, location)), name ?? basename(location, extname(location)))
  }
  const response = await http.request({
    url: location,
    headers: { accept: 'application/json, application/yaml, */*' },
    maxBytes: MAX_BYTES,
  })
  if (response.status !== 200) throw notACatalogue(location, `the server answered ${response.status}`)
  if (response.truncated) throw notACatalogue(location, `it is longer than ${MAX_BYTES / 1e6} MB`)
  const catalogue = await loadCatalogue(responseText(response), name)
  const servers = catalogue.servers.length === 0 ? ['/'] : catalogue.servers
  return { ...catalogue, servers: servers.map((server) => new URL(server, response.url).href) }
}

async function readText(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8')
  } catch (thrown) {
    const { code, message } = thrown as NodeJS.ErrnoException
    if (code === 'ENOENT') throw notACatalogue(path, 'there is no such file', thrown, 'SourceNotFound')
    throw notACatalogue(path, code === 'EISDIR' ? 'it is a directory' : message, thrown)
  }
}

/** JSON first: it is what most large specifications come in. Aliases of YAML must not blow up what is small on the page. */
async function parseDocument(text: string, label: string): Promise<unknown> {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ''))
  } catch (thrown) {
    if (/^\s*\{/.test(text)) throw notACatalogue(label, (thrown as Error).message, thrown)
  }
  // Eight times as fast as the package `yaml`, which keeps what only editors of a document need.
  const { CORE_SCHEMA, loadAll, mergeTag } = await import('js-yaml')
  try {
    const [document, another] = loadAll(text, { schema: CORE_SCHEMA.withTags(mergeTag), json: true })
    if (another !== undefined) throw new Error('it holds several documents')
    assertFinite(document)
    return document
  } catch (thrown) {
    throw notACatalogue(label, (thrown as Error).message.split('\n', 1)[0]!, thrown)
  }
}

/** @throws Error for a document that goes on for ever or nearly, since its parts refer to each other */
function assertFinite(document: unknown): void {
  let left = MAX_NODES
  const visit = (value: unknown, depth: number): void => {
    if (typeof value !== 'object' || value === null) return
    if (--left < 0 || depth > MAX_DEPTH) throw new Error('its aliases (*name) make it too large')
    for (const inner of Array.isArray(value) ? value : Object.values(value)) visit(inner, depth + 1)
  }
  visit(document, 0)
}

function notACatalogue(
  what: string,
  why: string,
  cause?: unknown,
  code: 'ConfigurationError' | 'SourceNotFound' = 'ConfigurationError',
): TuttiError {
  return new TuttiError(code, `${what} cannot be used as an API catalogue: ${why}.`, { cause })
}
