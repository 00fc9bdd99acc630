import { join } from 'node:path'
import { z } from 'zod'
import { mcpFileSchema, type Config } from '../config/schema.ts'
import { TuttiError } from '../../domain/errors.ts'
import { readJsonFile, writeJsonFile } from '../../mcp/json-file.ts'
import { checkConfig } from '../config/config-file.ts'
import type { Environment } from '../config/environment.ts'

/** The servers as they were written, with variables. */
const storedSchema = z.object({ mcpServers: z.record(z.string(), z.unknown()) })

/** The file with the MCP servers that were added by a command, next to those of the configuration. */
export function addedServersFile(dataDir: string): string {
  return join(dataDir, 'mcp', 'servers.json')
}

/**
 * The configuration with added servers.
 * @throws TuttiError `ConfigurationError` for a server that is in both, `StorageError`
 */
export async function withAddedServers(config: Config, file: string, env: Environment): Promise<Config> {
  const added = await readJsonFile(file, storedSchema)
  if (added === undefined) return config
  const { mcpServers } = checkConfig(file, added, mcpFileSchema, env)
  const twice = Object.keys(mcpServers).find((name) => Object.hasOwn(config.mcpServers, name))
  if (twice === undefined) return { ...config, mcpServers: { ...config.mcpServers, ...mcpServers } }
  const message = `The MCP server "${twice}" is in the configuration and was also added with "tutti mcp add"; remove one of them.`
  throw new TuttiError('ConfigurationError', message)
}

/**
 * Adds a server; every Tutti process of this data folder uses it from its next request on.
 * @throws TuttiError `InvalidRequest` for an existing name; `ConfigurationError` for invalid settings
 */
export async function addServer(file: string, name: string, server: object, env: Environment): Promise<void> {
  const { mcpServers } = (await readJsonFile(file, storedSchema)) ?? { mcpServers: {} }
  if (Object.hasOwn(mcpServers, name)) {
    throw new TuttiError('InvalidRequest', `There is an MCP server "${name}" already; remove it first.`)
  }
  const added = { mcpServers: { ...mcpServers, [name]: server } }
  checkConfig('The server', added, mcpFileSchema, env)
  await writeJsonFile(file, added)
}

/** @throws TuttiError `InvalidRequest` for a server that was not added */
export async function removeServer(file: string, name: string): Promise<void> {
  const { mcpServers } = (await readJsonFile(file, storedSchema)) ?? { mcpServers: {} }
  const { [name]: removed, ...others } = mcpServers
  if (removed !== undefined) return writeJsonFile(file, { mcpServers: others })
  const existing = Object.keys(mcpServers).join(', ') || 'none'
  throw new TuttiError(
    'InvalidRequest',
    `No MCP server "${name}" was added with "tutti mcp add". There are: ${existing}. Those of a file are taken out there.`,
  )
}
