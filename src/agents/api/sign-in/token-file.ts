import { isObject, parsedJson } from '../../../core/outside.ts'
import { readFile, realpath } from 'node:fs/promises'
import { dirname, resolve, sep } from 'node:path'
import { TuttiError } from '../../../core/errors.ts'

const MAX_TOKEN_CHARS = 16_384

export interface TokenFileSettings {
  /** `FIREBASE_TOKEN_FILE`. */
  readonly file?: string
  /** Context `api_token_file`. */
  readonly contextFile?: string
}

/**
 * Reads a token from the file of the context, else from that of the environment: the token alone, or JSON with it. A
 * caller may only name files beside the operator's own token file, since the content is sent to a service.
 * @throws TuttiError `ConfigurationError` for a file that is not allowed, cannot be read, or holds no token
 */
export async function readTokenFile({ file, contextFile }: TokenFileSettings): Promise<string | undefined> {
  if (contextFile === undefined) return file === undefined ? undefined : tokenIn(await read(file), file)
  const folder = file === undefined ? undefined : await realpath(dirname(resolve(file))).catch(() => undefined)
  const wanted = await realpath(folder === undefined ? contextFile : resolve(folder, contextFile)).catch(
    () => undefined,
  )
  if (folder === undefined || wanted === undefined || !wanted.startsWith(folder + sep)) {
    throw new TuttiError(
      'ConfigurationError',
      'The file of context "api_token_file" is not to be read: it must lie in the folder of FIREBASE_TOKEN_FILE.',
    )
  }
  return tokenIn(await read(wanted), 'api_token_file')
}

async function read(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8')
  } catch (thrown) {
    throw new TuttiError('ConfigurationError', `The token file ${path} cannot be read.`, { cause: thrown })
  }
}

const JSON_KEYS = ['idToken', 'id_token', 'token', 'access_token', 'accessToken']

function tokenIn(text: string, name: string): string {
  const json = parsedJson(text)
  const named = isObject(json) ? JSON_KEYS.map((key) => json[key]).find((value) => typeof value === 'string') : text
  const token = typeof named === 'string' ? named.trim() : ''
  if (token.length > 0 && token.length <= MAX_TOKEN_CHARS && /^[\w.~+/=-]+$/.test(token)) return token
  throw new TuttiError(
    'ConfigurationError',
    `The token file ${name} holds no token: one line without blanks, or JSON with "idToken".`,
  )
}
