import { createCipheriv, createDecipheriv, createHash, randomBytes, randomUUID } from 'node:crypto'
import { link, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { TuttiError } from '../domain/errors.ts'
import { makeFolder } from './sql/make-folder.ts'

/** Name of the key's file in the data folder. */
export const KEY_FILE = 'secret.key'

const IV_BYTES = 12
const TAG_BYTES = 16

/** Encrypts with AES-256-GCM. */
export class SecretKey {
  /** Distinguishes keys, without revealing anything about them. */
  readonly id: string
  private readonly key: Buffer

  constructor(key: Buffer) {
    this.key = key
    this.id = createHash('sha256').update('tutti key id').update(key).digest('hex').slice(0, 8)
  }

  /** @param place where the text belongs; it can only be opened for the same place */
  seal(text: string, place: string): string {
    const iv = randomBytes(IV_BYTES)
    const cipher = createCipheriv('aes-256-gcm', this.key, iv).setAAD(Buffer.from(place))
    const sealed = Buffer.concat([iv, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()])
    return sealed.toString('base64url')
  }

  /** Undefined when it was encrypted with another key, for another place, or not at all. */
  open(sealed: string, place: string): string | undefined {
    const bytes = Buffer.from(sealed, 'base64url')
    if (bytes.length < IV_BYTES + TAG_BYTES) return undefined
    const decipher = createDecipheriv('aes-256-gcm', this.key, bytes.subarray(0, IV_BYTES), {
      authTagLength: TAG_BYTES,
    })
    decipher.setAAD(Buffer.from(place)).setAuthTag(bytes.subarray(-TAG_BYTES))
    try {
      return decipher.update(bytes.subarray(IV_BYTES, -TAG_BYTES), undefined, 'utf8') + decipher.final('utf8')
    } catch {
      return undefined
    }
  }
}

/** Returns the key on demand; undefined if there is none and `make` is false. */
export type KeyHolder = (make: boolean) => Promise<SecretKey | undefined>

/** A key that ends with the process, for storage that does, too. */
export function passingKey(): KeyHolder {
  const key = new SecretKey(randomBytes(32))
  return async () => key
}

/**
 * The key of this installation: that of `TUTTI_SECRET_KEY`, else that of the file.
 * Its calls throw TuttiError: `ConfigurationError` for a key that is not valid, `StorageError` when the file cannot be read or made.
 */
export function lastingKey(named: string | undefined, file: string): KeyHolder {
  let found: SecretKey | undefined
  return async (make) => (found ??= named ? parsed(named, 'TUTTI_SECRET_KEY') : await keyOfFile(file, make))
}

async function keyOfFile(file: string, make: boolean): Promise<SecretKey | undefined> {
  const read = async (): Promise<SecretKey> => parsed(await readFile(file, 'utf8'), `The file ${file}`)
  try {
    return await read().catch(async (thrown: NodeJS.ErrnoException) => {
      if (thrown.code !== 'ENOENT') throw thrown
      if (!make) return undefined
      await makeKey(file)
      return read()
    })
  } catch (thrown) {
    if (TuttiError.isInstance(thrown)) throw thrown
    const message = `The key ${file} cannot be read or made: ${(thrown as Error).message}. Give this user the right, or set TUTTI_SECRET_KEY.`
    throw new TuttiError('StorageError', message, { cause: thrown })
  }
}

/** When several processes start at once, one makes the key: a hard link never replaces a file. */
async function makeKey(file: string): Promise<void> {
  const draft = `${file}.${randomUUID()}.tmp`
  try {
    await makeFolder(dirname(file))
    await writeFile(draft, `${randomBytes(32).toString('hex')}\n`, { mode: 0o600, flag: 'wx', flush: true })
    await link(draft, file).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error
    })
  } finally {
    await rm(draft, { force: true }).catch(() => undefined) // the error has been reported
  }
}

function parsed(text: string, what: string): SecretKey {
  const key = text.trim()
  if (/^[0-9a-f]{64}$/i.test(key)) return new SecretKey(Buffer.from(key, 'hex'))
  throw new TuttiError(
    'ConfigurationError',
    `${what} does not hold a key: it must be 64 hexadecimal digits, such as "openssl rand -hex 32" makes.`,
  )
}
