import { omitUndefined } from '../shared/json.ts'
import { resolve } from 'node:path'
import { z } from 'zod'
import { systemClock, type Clock } from '../shared/clock.ts'
import { TuttiError } from '../domain/errors.ts'
import { LOCAL_OWNER, type Owner } from '../domain/events.ts'
import { configSchema, mcpFileSchema, type Config } from './config/schema.ts'
import { allMcpServers } from './mcp.ts'
import { problemTexts } from '../domain/schema-problems.ts'
import type { AppOptions } from './config/options.ts'

/** Options that are right, with their defaults. */
export interface Settings extends Omit<AppOptions, 'config'> {
  readonly config: Config
  readonly cwd: string
  readonly owner: Owner
  readonly clock: Clock
  readonly onError: (error: TuttiError) => void
}

const schema = z.object({
  config: configSchema.prefault({}),
  mcp: z.array(mcpFileSchema.extend({ file: z.string() })).optional(),
})

/** All options: in plain JavaScript, a misspelled `storage` would keep nothing. */
const NAMES =
  'agents tools strategies models storage config databases apis apiKey apiSettings allowHosts documents mcp mcpNow ' +
  'mcpFolder configFile isInstallation onDocument mail webSearch embedding qdrant tracing proxy secrets cwd queue owner ' +
  'howToSetUp onError clock'

/** @throws TuttiError `ConfigurationError` for an unknown option, and naming every field of `config` that is wrong */
export function checkOptions(given: AppOptions): Settings {
  const unknown = Object.keys(given).find((name) => !NAMES.split(' ').includes(name))
  if (unknown !== undefined)
    throw wrong(`createApp has no option "${unknown}"; its options are ${NAMES.replaceAll(' ', ', ')}`)
  const parsed = schema.safeParse(given)
  if (!parsed.success) {
    throw wrong(`createApp cannot take these options: ${problemTexts(parsed.error, 'options').join('; ')}`)
  }
  const { cwd = resolve('.'), apiSettings = {}, ...options } = omitUndefined(given)
  const { config, mcp } = parsed.data
  if (config.http.proxyFromEnv && options.proxy === undefined) {
    throw wrong('config.http.proxyFromEnv is for configuration files; name the proxies with the option proxy')
  }
  const from = (path: string): string => resolve(cwd, path)
  const tokenFile = apiSettings.firebase?.file
  return {
    ...options,
    config: {
      ...config,
      mcp: allMcpServers(config, mcp).map((server) =>
        'command' in server && isPath(server.command) ? { ...server, command: from(server.command) } : server,
      ),
      mcpServers: {},
      ...(config.agentFolders && { agentFolders: config.agentFolders.map(from) }),
    },
    apiSettings:
      tokenFile === undefined
        ? apiSettings
        : { ...apiSettings, firebase: { ...apiSettings.firebase, file: from(tokenFile) } },
    cwd,
    owner: options.owner ?? LOCAL_OWNER,
    clock: options.clock ?? systemClock,
    onError: options.onError ?? warn,
  }
}

/** Reports a problem that fails no call, as a warning of the process. */
function warn({ message, code }: TuttiError): void {
  process.emitWarning(message, { type: 'TuttiWarning', code })
}

/** Program names without a path are searched in the system's program folders. */
function isPath(command: string): boolean {
  return /[\\/]/.test(command)
}

function wrong(message: string): TuttiError {
  return new TuttiError('ConfigurationError', `${message}.`)
}
