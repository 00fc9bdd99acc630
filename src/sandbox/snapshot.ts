import { createHash, randomUUID } from 'node:crypto'
import { closeSync, constants, openSync, readdirSync, readSync, rmSync, unlinkSync, writeSync } from 'node:fs'
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { gunzip, gzip } from 'node:zlib'
import { TuttiError } from '../domain/errors.ts'
import { ManagedProcess } from '../processes/managed-process.ts'
import { buildPath } from '../processes/program.ts'
import type { Launcher } from './launch.ts'
import { HARNESS } from './python/harness.ts'
import { REPLY_DESCRIPTOR } from './wire.ts'

const MAX_STDERR_CHARS = 1000
/** Of 30 MB. With the default of 16 KB, unpacking takes three times as long. */
const UNPACKED_CHUNK_BYTES = 1 << 20

/** The interpreter's memory after start-up, as an open file that children inherit. */
export interface Snapshot {
  readonly descriptor: number
  close(): void
}

/**
 * Opens the snapshot in `cacheDir`, unpacks the one that is shipped with Tutti, or makes one (some seconds). Without a
 * folder it is an unlinked temporary file, so nothing is left when the program ends, however it ends.
 * @throws TuttiError `ConfigurationError` when the interpreter does not start or the folder cannot be written
 */
export async function openSnapshot(launcher: Launcher, cacheDir?: string): Promise<Snapshot> {
  const cached = cacheDir === undefined ? undefined : openCached(cacheDir)
  const descriptor = cached ?? (await store((await shipped()) ?? (await make(launcher)), cacheDir))
  return { descriptor, close: () => closeSync(descriptor) }
}

/** A snapshot for the package, made by the build. @throws TuttiError `ConfigurationError` */
export async function packedSnapshot(launcher: Launcher): Promise<Buffer> {
  return promisify(gzip)(await make(launcher))
}

/** Sources have none. One of another version of Pyodide or Node.js has another name. */
async function shipped(): Promise<Buffer | undefined> {
  const packed = join(buildPath(new URL('.', import.meta.url)), `${snapshotName()}.gz`)
  try {
    return await promisify(gunzip)(await readFile(packed), { chunkSize: UNPACKED_CHUNK_BYTES })
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    if (code === 'ENOENT') return undefined
    throw new TuttiError('ConfigurationError', `The sandbox cannot read ${packed}: ${message}. Reinstall Tutti.`)
  }
}

/** The digest in the name identifies a damaged file, which is removed and created again. */
function openCached(cacheDir: string): number | undefined {
  try {
    for (const name of readdirSync(cacheDir).filter((one) => one.startsWith(`${snapshotName()}.`))) {
      const digest = /\.([0-9a-f]{64})$/.exec(name)?.[1]
      if (digest === undefined) continue // of a process that still writes it
      const file = join(cacheDir, name)
      const descriptor = openSync(file, 'r')
      if (digestOf(descriptor) === digest) return descriptor
      closeSync(descriptor)
      rmSync(file, { force: true })
    }
    return undefined
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw new TuttiError(
      'ConfigurationError',
      `The sandbox cannot read its snapshot in ${cacheDir}: ${(error as Error).message}`,
    )
  }
}

/** Reads without moving the place where children begin to. */
function digestOf(descriptor: number): string {
  const hash = createHash('sha256')
  const piece = Buffer.allocUnsafe(1 << 20)
  for (let at = 0, count: number; (count = readSync(descriptor, piece, 0, piece.length, at)) > 0; at += count) {
    hash.update(piece.subarray(0, count))
  }
  return hash.digest('hex')
}

async function store(bytes: Buffer, cacheDir: string | undefined): Promise<number> {
  if (cacheDir === undefined) return storeNameless(bytes)
  try {
    await mkdir(cacheDir, { recursive: true, mode: 0o700 })
    const file = join(cacheDir, `${snapshotName()}.${createHash('sha256').update(bytes).digest('hex')}`)
    const unfinished = `${file}.${randomUUID()}`
    await writeFile(unfinished, bytes, { mode: 0o600, flush: true })
    await rename(unfinished, file)
    return openSync(file, 'r')
  } catch (error) {
    const message = `The sandbox cannot keep its snapshot in ${cacheDir}: ${(error as Error).message}`
    throw new TuttiError('ConfigurationError', message, { cause: error })
  }
}

function storeNameless(bytes: Buffer): number {
  const file = join(tmpdir(), `tutti-python-${randomUUID()}`)
  const descriptor = openSync(file, constants.O_RDWR | constants.O_CREAT | constants.O_EXCL, 0o600)
  unlinkSync(file)
  for (let offset = 0; offset < bytes.length;) offset += writeSync(descriptor, bytes, offset)
  return descriptor
}

/** Changes with anything that the memory depends on. That of Node.js 22 does not load on 20. */
export function snapshotName(): string {
  const { version } = createRequire(import.meta.url)('pyodide/package.json') as { version: string }
  const parts = createHash('sha256').update([version, HARNESS].join('\n'))
  const [nodeVersion] = process.versions.node.split('.', 1)
  return `python-node${nodeVersion}-${parts.digest('hex').slice(0, 24)}.snapshot`
}

async function make(launcher: Launcher): Promise<Buffer> {
  const child = new ManagedProcess(launcher.launch('snapshot'))
  const pieces: Buffer[] = []
  child.process.stdio[REPLY_DESCRIPTOR]?.on('data', (piece: Buffer) => pieces.push(piece))
  await child.closed
  if (child.process.exitCode === 0 && pieces.length > 0) return Buffer.concat(pieces)
  const reason = child.stderr.slice(-MAX_STDERR_CHARS) || child.how
  throw new TuttiError('ConfigurationError', `Python does not start in the sandbox: ${reason}`)
}
