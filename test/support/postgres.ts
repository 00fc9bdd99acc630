import { execFile, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { chmod, chown, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { promisify } from 'node:util'
import { Client } from 'pg'
import { freePort } from './free-port.ts'

const run = promisify(execFile)

export interface TestPostgres {
  /** Connection URL of the superuser on the maintenance database. */
  readonly url: string
  /** Ends the server and removes its files. */
  stop(): Promise<void>
}

/**
 * The guard: makes the cluster, reports, then blocks on its stdin. However the test run ends, `kill -9` included, the
 * pipe closes, and the guard ends the server and removes the folder. `$1` binaries, `$2` folder, `$3` port.
 */
const GUARD = `
trap '' INT TERM HUP
cd "$2" || exit 1
"$1/initdb" -D "$2/data" -U postgres -A trust -E UTF8 --locale=C --no-sync >"$2/log" 2>&1 &&
"$1/pg_ctl" -D "$2/data" -l "$2/log" -w -t 60 start >>"$2/log" 2>&1 -o "-p $3 -c listen_addresses=127.0.0.1 \
  -c unix_socket_directories= -c fsync=off -c full_page_writes=off -c synchronous_commit=off -c max_connections=200 \
  -c shared_buffers=64MB -c autovacuum=off -c bgwriter_lru_maxpages=0 -c wal_level=minimal -c max_wal_senders=0 \
  -c max_wal_size=4GB -c checkpoint_timeout=1h" &&
echo ready || { tail -n 5 "$2/log"; echo failed; }
read -r _
"$1/pg_ctl" -D "$2/data" -m immediate -w stop >/dev/null 2>&1
cd / && rm -rf "$2"
`

/**
 * Starts a throw-away PostgreSQL on a free loopback port: trust authentication, no fsync, files in the temp folder.
 * Gives undefined when this machine has none.
 * @throws Error with the server's last log lines when one is there and does not start
 */
export async function startPostgres(): Promise<TestPostgres | undefined> {
  const binaries = await findBinaries()
  if (binaries === undefined) return undefined
  const user = await unprivilegedUser()
  const folder = await mkdtemp(join(tmpdir(), 'tutti-pg-'))
  await chmod(folder, 0o700)
  if (user !== undefined) await chown(folder, user.uid, user.gid)
  const port = await freePort()
  const guard = spawn('sh', ['-c', GUARD, 'sh', binaries, folder, String(port)], {
    // A group of its own, so that Ctrl-C in the terminal does not end the server under the tests' feet.
    detached: true,
    stdio: ['pipe', 'pipe', 'ignore'],
    env: { PATH: process.env['PATH'] ?? '/usr/bin:/bin', LC_ALL: 'C' },
    ...user,
  })
  const ended = new Promise<void>((resolve) => guard.once('close', () => resolve()))
  const stop = async (): Promise<void> => {
    guard.stdin.end()
    await ended
    await rm(folder, { recursive: true, force: true })
  }
  const report = await firstReport(guard.stdout)
  if (!report.endsWith('ready\n')) {
    await stop()
    throw new Error(`PostgreSQL in ${binaries} does not start: ${report}`)
  }
  return { url: `postgres://postgres@127.0.0.1:${port}/postgres`, stop }
}

/** Makes a fresh, empty database and gives its URL; it goes away with the cluster. */
export async function createTestDatabase(adminUrl: string): Promise<string> {
  const name = `test_${randomUUID().replaceAll('-', '')}`
  const client = new Client({ connectionString: adminUrl })
  await client.connect()
  try {
    await client.query(`CREATE DATABASE ${name}`)
  } finally {
    await client.end()
  }
  const url = new URL(adminUrl)
  url.pathname = `/${name}`
  return url.href
}

/** A database whose owner is a user for Tutti without superuser rights. */
export async function createOwnDatabase(adminUrl: string): Promise<string> {
  const url = new URL(await createTestDatabase(adminUrl))
  const role = `owner_${randomUUID().replaceAll('-', '')}`
  const client = new Client({ connectionString: url.href })
  await client.connect()
  await client.query(`CREATE ROLE ${role} LOGIN`)
  await client.query(`ALTER DATABASE ${url.pathname.slice(1)} OWNER TO ${role}`)
  await client.query(`ALTER SCHEMA public OWNER TO ${role}`)
  await client.end()
  url.username = role
  return url.href
}

/**
 * Creates a role that may only read the existing tables of the schemas, and returns its connection URL.
 * `attributes` are attributes of CREATE ROLE, `memberships` are roles that are granted to it.
 */
export async function createReader(
  databaseUrl: string,
  { schemas = ['public'], attributes = '', memberships = [] }: ReaderOptions = {},
): Promise<string> {
  const name = `reader_${randomUUID().replaceAll('-', '')}`
  const client = new Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    await client.query(`CREATE ROLE ${name} LOGIN ${attributes}`)
    for (const role of memberships) await client.query(`GRANT ${role} TO ${name}`)
    const places = schemas.join(', ')
    await client.query(`GRANT USAGE ON SCHEMA ${places} TO ${name}`)
    await client.query(`GRANT SELECT ON ALL TABLES IN SCHEMA ${places} TO ${name}`)
  } finally {
    await client.end()
  }
  const url = new URL(databaseUrl)
  url.username = name
  return url.href
}

export interface ReaderOptions {
  readonly schemas?: readonly string[]
  readonly attributes?: string
  readonly memberships?: readonly string[]
}

/** The newest version in Debian's folder, else the one of `pg_config` or PATH. */
async function findBinaries(): Promise<string | undefined> {
  const root = '/usr/lib/postgresql'
  const versions = existsSync(root) ? await readdir(root) : []
  const packaged = versions
    .filter((version) => Number(version) >= 15)
    .sort((a, b) => Number(b) - Number(a))
    .map((version) => join(root, version, 'bin'))
  const configured = await run('pg_config', ['--bindir']).then(
    ({ stdout }) => [stdout.trim()],
    () => [],
  )
  const onPath = (process.env['PATH'] ?? '').split(':')
  return [...packaged, ...configured, ...onPath].find((folder) =>
    ['initdb', 'pg_ctl', 'postgres'].every((name) => folder !== '' && existsSync(join(folder, name))),
  )
}

/** PostgreSQL refuses to run as root. */
async function unprivilegedUser(): Promise<{ uid: number; gid: number } | undefined> {
  if (process.getuid?.() !== 0) return undefined
  const name = await run('id', ['-u', 'postgres']).then(
    () => 'postgres',
    () => 'nobody',
  )
  const [uid, gid] = await Promise.all([run('id', ['-u', name]), run('id', ['-g', name])])
  return { uid: Number(uid.stdout), gid: Number(gid.stdout) }
}

/** The output of the guard until it reports success or failure. */
async function firstReport(output: Readable): Promise<string> {
  let text = ''
  for await (const chunk of output.iterator({ destroyOnReturn: false })) {
    text += String(chunk)
    if (/(?:ready|failed)\n$/.test(text)) break
  }
  return text
}
