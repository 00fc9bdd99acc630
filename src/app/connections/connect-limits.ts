import { readdir, realpath, stat } from 'node:fs/promises'
import { join, resolve, sep } from 'node:path'
import { readDatabaseUrl } from '../../domain/server-url.ts'
import { TuttiError } from '../../domain/errors.ts'
import { systemLookup } from '../../http/connect.ts'
import { createPolicy } from '../../http/policy.ts'
import { parseHostAndPort } from '../../mail/personal.ts'
import type { Connectable, Kind, Stored } from './connection-file.ts'

/** Limits of sources on the page /setup. */
export interface ConnectLimits {
  /** Where relative paths start. */
  readonly cwd: string
  /** Tutti's own data: no file of it can be connected. */
  readonly dataDir: string
  /** Limits for admins; absent for the operator, who may use all other files and addresses. */
  readonly admin?: AdminLimits
}

export interface AdminLimits {
  /** Folders with SQLite files. */
  readonly folders: readonly string[]
  /** Internal hosts, as in `http.allowHosts`. */
  readonly hosts: readonly string[]
}

interface Place {
  readonly host: string
  readonly port: number
}

/** The same for every internal address, whether anything listens there or not, and for names that are unknown. */
const NOT_REACHABLE =
  'This address is internal, or its host name is unknown. The operator can allow an internal host with http.allowHosts in the configuration.'
/** The same for files that are missing. */
const NOT_LISTED =
  'There is no such file in a folder that the operator allows. The operator can allow a folder with server.databaseFolders in the configuration, or name the database there.'
const OWN_FILE = 'This is a file of Tutti itself, so it cannot be connected.'
const PLAIN_POSTGRES =
  'Name user, password and host in the PostgreSQL address, and no option but sslmode: postgres://user:password@host/database?sslmode=require.'

/**
 * Checks an address before anything is opened. Names are looked up again, and checked again, by each connection: see `storedBy`.
 * @throws TuttiError `InvalidRequest` in words that tell nothing of the file or the network
 */
export async function assertConnectable<K extends Kind>(
  kind: K,
  entry: Connectable<K>,
  limits: ConnectLimits,
): Promise<void> {
  const file = kind === 'database' ? sqliteFileOf(entry as Connectable<'database'>, limits.cwd) : undefined
  if (limits.admin !== undefined) {
    if (file !== undefined) await assertListed(file, limits.admin.folders, limits.cwd)
    else await assertReachable(PLACES[kind](entry), limits.admin.hosts)
  }
  if (file !== undefined && (await isOwnFile(file, limits.dataDir))) throw refused(OWN_FILE)
}

/** The stored and opened form. Connections that an admin added are checked as long as they exist. */
export function storedBy<K extends Kind>(entry: Connectable<K>, { admin }: ConnectLimits): Stored<K> {
  return (admin === undefined ? entry : { ...entry, publicOnly: true }) as Stored<K>
}

/** The whole path of the file that an address names; undefined for the address of a server. */
export function sqliteFileOf({ address }: Connectable<'database'>, cwd: string): string | undefined {
  const read = readDatabaseUrl(address)
  return read.kind === 'sqlite' ? resolve(cwd, read.path) : undefined
}

/** Whether a path leads to a file of the data folder. Device and inode are the same through every link and spelling. */
export async function isOwnFile(path: string, dataDir: string): Promise<boolean> {
  const target = await statOf(path)
  if (target === undefined) return false
  for (const entry of await readdir(dataDir, { recursive: true, withFileTypes: true })) {
    const stats = await statOf(join(entry.parentPath, entry.name))
    if (stats?.dev === target.dev && stats.ino === target.ino) return true
  }
  return false
}

/** Inodes of some file systems need 64 bits. */
function statOf(path: string) {
  return stat(path, { bigint: true }).catch(() => undefined)
}

async function assertListed(file: string, folders: readonly string[], cwd: string): Promise<void> {
  const [real, ...listed] = await Promise.all(
    [file, ...folders.map((folder) => resolve(cwd, folder))].map((path) => realpath(path).catch(() => undefined)),
  )
  const isListed = listed.some((folder) => folder !== undefined && real?.startsWith(join(folder, sep)))
  if (!isListed) throw refused(NOT_LISTED)
}

async function assertReachable(places: readonly Place[], hosts: readonly string[]): Promise<void> {
  const policy = createPolicy({ allowHosts: hosts })
  for (const { host, port } of places) {
    const name = host.replace(/^\[|\]$/g, '').replace(/\.$/, '')
    const addresses = name === '' ? [] : await systemLookup(name).catch(() => [])
    const isFree = addresses.every(({ address }) => policy.addressProblem(address, name, port) === undefined)
    if (addresses.length === 0 || !isFree) throw refused(NOT_REACHABLE)
  }
}

/** The servers that an entry names, with default ports where none is given. */
const PLACES: { readonly [K in Kind]: (entry: Connectable<K>) => readonly Place[] } = {
  model({ address }) {
    const { hostname, port, protocol } = new URL(address)
    return [{ host: hostname, port: Number(port || (protocol === 'https:' ? 443 : 80)) }]
  },
  database({ address }) {
    const read = readDatabaseUrl(address)
    return read.kind === 'sqlite' ? [] : [serverOf(read.kind, read.url)]
  },
  mailbox({ server, smtp }) {
    const imap = { port: 993, ...parseHostAndPort(server)! }
    return smtp === undefined ? [imap] : [imap, { port: 465, ...parseHostAndPort(smtp)! }]
  },
}

/**
 * Options of a PostgreSQL address can name another host, sockets and files. Omitted parts come from the operator's
 * environment, the password included.
 */
function serverOf(kind: 'postgres' | 'mysql', url: URL): Place {
  const { hostname, port, username, password, searchParams } = url
  const isPlain = username !== '' && password !== '' && [...searchParams.keys()].every((name) => name === 'sslmode')
  if (hostname.includes('%') || (kind === 'postgres' && !isPlain)) throw refused(PLAIN_POSTGRES)
  return { host: hostname, port: Number(port || (kind === 'postgres' ? 5432 : 3306)) }
}

function refused(message: string): TuttiError {
  return new TuttiError('InvalidRequest', message)
}
