import { InvalidArgumentError, type Command, type Option } from 'commander'
import { TuttiError } from '../domain/errors.ts'
import type { Environment } from '../app/config/environment.ts'

/** An option that can be set for good. The table in docs/configuration.md is held against this list. */
export interface Setting {
  /** The name of the option, without its dashes. */
  readonly option: string
  readonly variable: string
  /** The field of the configuration file that says the same. */
  readonly field?: string
}

export const SETTINGS: readonly Setting[] = [
  { option: 'config', variable: 'TUTTI_CONFIG' },
  { option: 'data', variable: 'TUTTI_DATA' },
  { option: 'db', variable: 'TUTTI_DB', field: 'databases' },
  { option: 'api', variable: 'TUTTI_API', field: 'apis' },
  { option: 'api-key', variable: 'TUTTI_API_KEY', field: 'apis.credentials' },
  { option: 'allow-host', variable: 'TUTTI_ALLOW_HOST', field: 'http.allowHosts' },
  { option: 'docs', variable: 'TUTTI_DOCS' },
  { option: 'mcp', variable: 'TUTTI_MCP', field: 'mcpServers' },
  { option: 'strategy', variable: 'TUTTI_STRATEGY', field: 'defaults.strategy' },
  { option: 'prefer', variable: 'TUTTI_PREFER', field: 'defaults.preferAgents' },
  { option: 'disable', variable: 'TUTTI_DISABLE', field: 'defaults.disableAgents' },
  { option: 'system-prompt', variable: 'TUTTI_SYSTEM_PROMPT', field: 'defaults.systemPrompt' },
  { option: 'model', variable: 'TUTTI_MODEL', field: 'models.default' },
  { option: 'locale', variable: 'TUTTI_LOCALE', field: 'locale' },
  { option: 'max-cost', variable: 'TUTTI_MAX_COST', field: 'defaults.budget.maxCostUsd' },
  { option: 'max-tokens', variable: 'TUTTI_MAX_TOKENS', field: 'defaults.budget.maxTokens' },
  { option: 'max-calls', variable: 'TUTTI_MAX_CALLS', field: 'defaults.budget.maxCalls' },
  { option: 'max-turns', variable: 'TUTTI_MAX_TURNS', field: 'defaults.maxTurns' },
  { option: 'timeout', variable: 'TUTTI_TIMEOUT', field: 'defaults.budget.maxTimeMs' },
  { option: 'host', variable: 'TUTTI_HOST' },
  { option: 'port', variable: 'TUTTI_PORT' },
]

/**
 * Commands whose options are not set by variables: a run stores the options it was started with, and the ports and
 * times of the other commands differ from those of the server and of runs.
 */
const WITHOUT_VARIABLES: ReadonlySet<string> = new Set(['runs', 'approvals', 'python', 'demo', 'init'])

/** Read where they are used, and shown by `doctor`. */
const READ_ELSEWHERE = new Set(['data', 'api-key', 'model'])

/**
 * Sets options that were not typed to the values of their variables. Typed options win, a list as a whole.
 * @throws TuttiError `InvalidRequest` that names the variable
 */
export function applySettings(command: Command, env: Environment): void {
  const [first] = commandPath(command)
  if (first !== undefined && WITHOUT_VARIABLES.has(first)) return
  for (const option of command.options) {
    const setting = SETTINGS.find((one) => `--${one.option}` === option.long)
    const text = setting === undefined ? '' : (env[setting.variable]?.trim() ?? '')
    if (setting === undefined || text === '' || READ_ELSEWHERE.has(setting.option)) continue
    const name = option.attributeName()
    if (command.getOptionValueSource(name) === 'cli') continue
    command.setOptionValueWithSource(name, parseSetting(option, text, setting), 'env')
  }
}

/** The commands down to this one, without the program itself. */
export function commandPath(command: Command): string[] {
  return command.parent === null ? [] : [...commandPath(command.parent), command.name()]
}

function parseSetting(option: Option, text: string, { variable }: Setting): unknown {
  try {
    return option.parseArg === undefined ? text : option.parseArg(text, undefined)
  } catch (thrown) {
    if (!(thrown instanceof InvalidArgumentError)) throw thrown
    throw new TuttiError('InvalidRequest', `${variable} is "${text}". ${thrown.message}`, { cause: thrown })
  }
}
