import type { z } from 'zod'
import { access, readFile, stat } from 'node:fs/promises'
import { dirname, extname, resolve } from 'node:path'
import { unreadable } from '../../agents/registry/import-default.ts'
import { configSchema, mcpFileSchema, type Config } from './schema.ts'
import { problemsIn, type SchemaProblem } from '../../domain/schema-problems.ts'
import { TuttiError } from '../../domain/errors.ts'
import { readYaml, withVariables } from './config-text.ts'

const ENDS = ['.yaml', '.yml', '.json']
/** Names looked for in the working directory, in this order, when no file is named. */
const CONFIG_NAMES = ENDS.map((end) => `tutti.config${end}`)

/**
 * Reads the configuration: the named file, else the first of `CONFIG_NAMES` in `cwd`, else the defaults.
 * @throws TuttiError `ConfigurationError` naming the file and the problem
 */
export async function loadConfig(
  cwd: string,
  file?: string,
  env: Readonly<Record<string, string | undefined>> = {},
): Promise<Config> {
  const path = await configFileOf(cwd, file)
  if (path === undefined) return configSchema.parse({})
  const config = await readChecked(path, configSchema, env)
  const resolvePath = (named: string): string => resolve(dirname(path), named)
  return {
    ...config,
    databases: config.databases.map((one) => ({ ...one, ...(one.terms && { terms: resolvePath(one.terms) }) })),
    agentFolders: await agentFoldersOf(path, config),
  }
}

/**
 * Reads a file that only contains MCP servers.
 * @throws TuttiError `ConfigurationError` naming the file and the problem
 */
export async function readMcpFile(
  file: string,
  env: Readonly<Record<string, string | undefined>>,
): Promise<{ readonly file: string } & z.output<typeof mcpFileSchema>> {
  return { file, ...(await readChecked(file, mcpFileSchema, env)) }
}

/** Substitutes variables and validates. @throws TuttiError `ConfigurationError` naming the problems */
async function readChecked<S extends z.ZodObject>(
  path: string,
  schema: S,
  env: Readonly<Record<string, string | undefined>>,
): Promise<z.output<S>> {
  const value = await readConfig(path)
  const problems: SchemaProblem[] = []
  const text = withVariables(value, env, (problem) => problems.push(problem))
  const parsed = schema.safeParse(text)
  if (parsed.success && problems.length === 0) return parsed.data
  // Unset variables are reported as such, so invalid values caused by them are not reported again.
  if (problems.length === 0 && parsed.error !== undefined) problems.push(...problemsIn(parsed.error))
  const texts = problems.map((problem) => {
    return `${problem.path.join('.') || 'the configuration'}: ${problem.message}`
  })
  throw new TuttiError('ConfigurationError', `${path} is not valid: ${texts.join('; ')}.`)
}

/** The configuration file that is in use, whether a named one is there or not. */
export async function configFileOf(cwd: string, named: string | undefined): Promise<string | undefined> {
  if (named !== undefined) return resolve(cwd, named)
  for (const name of CONFIG_NAMES) {
    const path = resolve(cwd, name)
    if (await fileExists(path)) return path
  }
  return undefined
}

/** As absolute paths. Without a configuration file there are none, because code in these folders is executed. */
async function agentFoldersOf(configFile: string, { agentFolders }: Config): Promise<string[]> {
  const configFolder = dirname(configFile)
  if (agentFolders !== undefined) return agentFolders.map((folder) => resolve(configFolder, folder))
  const usual = resolve(configFolder, 'agents')
  return (await fileExists(usual)) ? [usual] : []
}

function fileExists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  )
}

async function readConfig(path: string): Promise<unknown> {
  try {
    // Other extensions do not matter for folders and missing paths.
    if (!ENDS.includes(extname(path)) && (await stat(path)).isFile())
      throw new Error(`its name must end in ${ENDS.join(', ')}`)
    return await readYaml(await readFile(path, 'utf8'))
  } catch (thrown) {
    throw unreadable(path, thrown)
  }
}
