import { Argument, Option } from 'commander'
import { STRATEGIES } from '../strategies/built-in.ts'
import {
  parseAmount,
  parseApi,
  parseContext,
  parseDatabase,
  parseLocale,
  parseModel,
  parseNames,
  parsePaths,
  parseWholeNumber,
} from './option-values.ts'

export const argument = (name: string, description?: string): Argument => new Argument(name, description)

/** @param parse converts the text; for a repeatable option it also gets the earlier value */
export function option(flags: string, description: string, parse?: (text: string, earlier: never) => unknown): Option {
  const flag = new Option(flags, description)
  return parse === undefined ? flag : flag.argParser(parse as (text: string) => unknown)
}

/** Strategies of this package. The app rejects unknown names and lists the registered ones. */
export const STRATEGY_NAMES = Object.keys(STRATEGIES)

export function strategyOption(description = 'how the work is organised (default: auto, by the question)'): Option {
  const strategy = option('--strategy <name>', description)
  strategy.argChoices = ['auto', ...STRATEGY_NAMES]
  return strategy
}

export const RUN_ID = 'id of the run; a prefix is enough'
export const JSON_OPTION = option('--json', 'print one JSON object')
/** For commands that delete or overwrite. */
export const YES_OPTION = option('-y, --yes', 'skip the confirmation')
export const TRACE_OPTION = option('--trace', 'also print every step')
export const DATABASE_OPTION = option(
  '--db <url>',
  'database to ask: sqlite:file.db, postgres://…, mysql://…, or name=URL; repeatable',
  parseDatabase,
)
export const API_OPTION = option(
  '--api <file>',
  'API to ask: file or URL of its OpenAPI document or catalogue, or name=FILE; repeatable',
  parseApi,
)
export const MCP_OPTION = option(
  '--mcp <file>',
  'MCP servers to work with: a JSON file with mcpServers; repeatable',
  parsePaths,
)
export const ALLOW_HOST_OPTION = option(
  '--allow-host <host>',
  'internal host that agents may reach: host or host:port; repeatable',
  parseNames,
)
export const PREFER_OPTION = option(
  '--prefer <agents>',
  'preferred agents, separated by commas; repeatable',
  parseNames,
)
export const DISABLE_OPTION = option('--disable <agents>', 'agents to exclude; repeatable', parseNames)
export const CONTEXT_OPTION = option('--context <key=value>', 'context for the agents; repeatable', parseContext)
export const SYSTEM_PROMPT_OPTION = option('--system-prompt <text>', 'additional instructions for every agent')
export const MODEL_OPTION = option(
  '--model <model>',
  'provider:model for this run, or actor=provider:model; repeatable',
  parseModel,
)

/** Sources and hosts. */
export const SOURCE_OPTIONS = [
  DATABASE_OPTION,
  API_OPTION,
  option('--api-key <key>', 'key or token for those APIs; better in the variable TUTTI_API_KEY'),
  ALLOW_HOST_OPTION,
  option('--docs <path>', 'documents to ask: folder or file; repeatable', parsePaths),
  MCP_OPTION,
]

export const PLANNING_OPTIONS = [
  ...SOURCE_OPTIONS,
  PREFER_OPTION,
  DISABLE_OPTION,
  CONTEXT_OPTION,
  SYSTEM_PROMPT_OPTION,
  MODEL_OPTION,
]

/** Options of a question, except those that a conversation decides. */
export const REQUEST_OPTIONS = [
  ...PLANNING_OPTIONS,
  option('--locale <tag>', 'format of numbers and money, such as en-IN', parseLocale),
  option('--max-cost <usd>', 'maximum cost of models in US dollars', parseAmount),
  option('--max-tokens <n>', 'maximum number of model tokens', parseWholeNumber),
  option('--max-calls <n>', 'maximum number of model calls', parseWholeNumber),
  option('--max-turns <n>', 'maximum number of agents to start', parseWholeNumber),
  option('--timeout <seconds>', 'time limit; at a limit the run answers with what it has', parseAmount),
]

/** Options of an answer, for `ask` and each question of a chat. */
export const ANSWER_OPTIONS = [
  strategyOption(),
  ...REQUEST_OPTIONS,
  option('--conversation <id>', 'continue an earlier conversation: its id, or "last"'),
  option('--collection <name>', 'use only the documents of this collection; repeatable', parseNames),
  option('--no-approvals', 'skip calls that need approval, and mention them in the answer'),
  option('--no-data', 'leave tables out of the response'),
  TRACE_OPTION,
]
