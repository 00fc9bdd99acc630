import { readFile } from 'node:fs/promises'
import { basename, extname, resolve } from 'node:path'
import { TuttiError } from '../../../core/errors.ts'
import type { HttpClient } from '../../../http/client.ts'
import { textOf as responseText } from '../../../http/text.ts'
import { openApiCatalogue } from './openapi.ts'
import { isObject } from './references.ts'
import { yamlCatalogue } from './yaml-catalogue.ts'
import type { Catalogue } from './types.ts'

/** Specifications are large, and loaded once. */
const MAX_BYTES = 50_000_000

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
    const why = code === 'ENOENT' ? 'there is no such file' : code === 'EISDIR' ? 'it is a directory' : message
    throw notACatalogue(path, why, thrown)
  }
}

/** JSON first: it is read tens of times faster, and is what large specifications come in. */
async function parseDocument(text: string, label: string): Promise<unknown> {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ''))
  } catch (thrown) {
    if (/^\s*\{/.test(text)) throw notACatalogue(label, (thrown as Error).message, thrown)
  }
  const { parse } = await import('yaml')
  try {
    return parse(text, { uniqueKeys: false, stringKeys: true, merge: true, logLevel: 'error', prettyErrors: false })
  } catch (thrown) {
    throw notACatalogue(label, (thrown as Error).message.split('\n', 1)[0]!, thrown)
  }
}

function notACatalogue(what: string, why: string, cause?: unknown): TuttiError {
  return new TuttiError('ConfigurationError', `${what} cannot be used as an API catalogue: ${why}.`, { cause })
}
