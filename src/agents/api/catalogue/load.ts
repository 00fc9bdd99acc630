import { readFile, realpath } from 'node:fs/promises'
import { basename, dirname, extname, resolve, sep } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { toTuttiError, TuttiError } from '../../../domain/errors.ts'
import type { HttpClient, HttpResponse } from '../../../http/client.ts'
import { bodyText as responseText } from '../../../http/body.ts'
import { bundle, hasForeignReference } from './bundle.ts'
import { openApiCatalogue } from './openapi.ts'
import { isObject } from '../../../shared/json.ts'
import { yamlCatalogue } from './yaml-catalogue.ts'
import type { Catalogue } from './types.ts'

/** Specifications are large, and loaded once. */
const MAX_BYTES = 50_000_000
/** Of objects and lists; the largest specification known has some two million. */
const MAX_NODES = 10_000_000
const MAX_DEPTH = 500

/** The place of a document as a URL, and how to read files next to it. */
interface Files {
  readonly place: string
  read(place: string): Promise<string>
  /** Called for an unreadable file, whose references are then left out; without it, an unreadable file is an error. */
  readonly onUnreadable?: ((error: TuttiError) => void) | undefined
}

/**
 * Parses a catalogue: OpenAPI 3.0 to 3.2 as JSON or YAML, or Tutti's own YAML format.
 * @param name of the API in plans and sources; by default the file's own title
 * @param files absent: references to other files are not resolved
 * @throws TuttiError `ConfigurationError` naming the problem
 */
export async function loadCatalogue(text: string, name?: string, files?: Files): Promise<Catalogue> {
  const label = name ?? 'the catalogue'
  const document = await wholeDocument(text, label, files)
  const isOpenApi = isObject(document) && ('openapi' in document || 'swagger' in document)
  if (!isObject(document) || !(isOpenApi || 'endpoints' in document)) {
    throw notACatalogue(label, 'it is neither an OpenAPI document nor a list of endpoints')
  }
  const title = isObject(document['info']) ? document['info']['title'] : document['name']
  const named = name ?? (typeof title === 'string' && title.trim() !== '' ? title.trim() : 'api')
  return isOpenApi ? openApiCatalogue(document, named) : yamlCatalogue(document, named)
}

interface ReadParts extends Pick<Files, 'onUnreadable'> {
  readonly http: HttpClient
  readonly cwd: string
  readonly name?: string
}

/**
 * Reads a catalogue from a file or, through the guarded client, from a URL. Servers given relative to that URL are made whole.
 * @throws TuttiError `ConfigurationError` when it cannot be read, `HttpRequestError` from the client
 */
export async function readCatalogue(
  location: string,
  { http, cwd, name, onUnreadable }: ReadParts,
): Promise<Catalogue> {
  if (!/^https?:\/\//i.test(location)) {
    const path = resolve(cwd, location)
    const read = (place: string): Promise<string> => readText(fileURLToPath(place), dirname(path))
    const files = { place: pathToFileURL(path).href, read, onUnreadable }
    return loadCatalogue(await readText(path), name ?? basename(location, extname(location)), files)
  }
  const get = (url: string): Promise<HttpResponse> => getDocument(http, url)
  const response = await get(location)
  const files = { place: response.url, read: async (place: string) => responseText(await get(place)), onUnreadable }
  const catalogue = await loadCatalogue(responseText(response), name, files)
  const servers = catalogue.servers.length === 0 ? ['/'] : catalogue.servers
  return { ...catalogue, servers: servers.map((server) => new URL(server, response.url).href) }
}

async function getDocument(http: HttpClient, url: string): Promise<HttpResponse> {
  const headers = { accept: 'application/json, application/yaml, */*' }
  const response = await http.request({ url, headers, maxBytes: MAX_BYTES })
  if (response.status !== 200) throw notACatalogue(url, `the server answered ${response.status}`)
  if (response.truncated) throw notACatalogue(url, `it is longer than ${MAX_BYTES / 1e6} MB`)
  return response
}

/** The document with the files that it refers to. */
async function wholeDocument(text: string, label: string, files: Files | undefined): Promise<unknown> {
  const document = await parseDocument(text, label)
  if (files === undefined || !isObject(document) || !hasForeignReference(text)) return document
  return bundle(document, files.place, async (place) => {
    try {
      return await parseDocument(await files.read(place), place)
    } catch (thrown) {
      if (files.onUnreadable === undefined) throw thrown
      return files.onUnreadable(toTuttiError(thrown))
    }
  })
}

/** @param folder that must contain the file, links resolved: third-party documents may refer to any path */
async function readText(path: string, folder?: string): Promise<string> {
  try {
    const file = await realpath(path)
    if (folder === undefined || file.startsWith((await realpath(folder)).replace(/[\\/]?$/, sep)))
      return await readFile(file, 'utf8')
  } catch (thrown) {
    const { code, message } = thrown as NodeJS.ErrnoException
    if (code === 'ENOENT') throw notACatalogue(path, 'there is no such file', thrown, 'SourceNotFound')
    throw notACatalogue(path, code === 'EISDIR' ? 'it is a directory' : message, thrown)
  }
  throw notACatalogue(path, 'it lies outside the folder of the document that refers to it')
}

/**
 * Tries JSON first, the format of most large specifications. YAML aliases must not expand a small document into a huge
 * one.
 */
async function parseDocument(text: string, label: string): Promise<unknown> {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ''))
  } catch (thrown) {
    if (/^\s*\{/.test(text)) throw notACatalogue(label, (thrown as Error).message, thrown)
  }
  // Eight times as fast as the package `yaml`, which keeps data that only editors need.
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

/** @throws Error for a document that is infinite or huge when expanded, because its parts refer to each other */
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
