import type { McpToolServer } from '../agents/registry/mcp-tools.ts'
import type { Config } from '../config.ts'
import type { Clock } from '../core/clock.ts'
import type { TuttiError } from '../core/errors.ts'
import type { Owner } from '../core/owner.ts'
import { dataDirOf } from '../data-dir.ts'
import type { IngestProgress } from '../knowledge/types.ts'
import type { McpSpec } from '../mcp/client.ts'
import type { Environment } from '../models/environment.ts'

export interface AppOptions {
  /** Environment variables; none are read from anywhere else. */
  readonly env: Environment
  /** Where configuration files and relative paths are looked up. */
  readonly cwd: string
  readonly configFile?: string
  /** Folder for Tutti's own data; see `dataDirOf`. Not used with `DATABASE_URL`. */
  readonly dataDir?: string
  /** Keep nothing on disk. */
  readonly inMemory?: boolean
  /** Databases to ask, in addition to the configured ones; kept with the runs that are started here. */
  readonly databases?: readonly { readonly url: string; readonly name?: string }[]
  /** APIs to ask, likewise: files or URLs of their catalogues. The host of such a URL may be internal. */
  readonly apis?: readonly { readonly catalogue: string; readonly name?: string }[]
  /** Key or token for the sign-ins of those APIs, else that of `TUTTI_API_KEY`; not kept. */
  readonly apiKey?: string
  /** Internal hosts that agents may reach, in addition to the configured ones; kept likewise. */
  readonly allowHosts?: readonly string[]
  /** Documents to ask: folders, files and patterns, taken in before the first run and kept with it. */
  readonly documents?: readonly string[]
  /** Told how far the taking in of those documents is. */
  readonly onDocument?: (progress: IngestProgress) => void
  /** Take runs from the queue that several workers share, and put new ones there (PostgreSQL). */
  readonly queue?: boolean
  /** Whose runs these are; `local`, the one user of the machine, when absent. */
  readonly owner?: Owner
  /** Told of trouble that no caller waits for. */
  readonly onTrouble: (error: TuttiError) => void
  readonly clock?: Clock
}

/** Where Tutti keeps its own data: a database for many workers, else a folder; neither when nothing is to be kept. */
export function storagePlace({ inMemory, env, dataDir }: AppOptions): { databaseUrl?: string; dataDir?: string } {
  if (inMemory === true) return {}
  const databaseUrl = env['DATABASE_URL']?.trim()
  return databaseUrl ? { databaseUrl } : { dataDir: dataDirOf(dataDir, env) }
}

/** The same for people. */
export function storageInWords(options: AppOptions): string {
  const { databaseUrl, dataDir } = storagePlace(options)
  if (databaseUrl !== undefined) return `PostgreSQL at ${new URL(databaseUrl).host}`
  return dataDir === undefined ? 'memory, gone with the process' : `SQLite in ${dataDir}`
}

/** Without the keys whose value is absent. */
export function defined<T extends object>(value: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(value).filter(([, inner]) => inner !== undefined)) as never
}

/** How a configured MCP server is reached. */
export function mcpSpec(server: Config['mcp'][number]): McpSpec {
  const { name } = server
  if ('url' in server) return { transport: 'http', name, url: server.url, headers: server.headers }
  const { command, args, env } = server
  return { transport: 'stdio', name, command, args, env }
}

/** The same with what the operator says of its tools. */
export function mcpToolServer(server: Config['mcp'][number], isInternal: (url: URL) => boolean): McpToolServer {
  const { reads, trustHints, trusted } = server
  return {
    spec: mcpSpec(server),
    reads,
    trustHints,
    trusted,
    isInternal: 'url' in server && isInternal(new URL(server.url)),
  }
}
