import { Option, type Command } from 'commander'
import { STRATEGIES } from '../strategies/built-in.ts'
import {
  parseAmount,
  parseApi,
  parseContext,
  parseDatabase,
  parseDuration,
  parseLocale,
  parseModel,
  parseNames,
  parsePaths,
  parseWholeNumber,
} from './option-values.ts'

/** Strategies of this package. The app rejects unknown names and lists the registered ones. */
export const STRATEGY_NAMES = Object.keys(STRATEGIES)

export function strategyOption(what = 'how the work is organised (default: auto, by the question)'): Option {
  const option = new Option('--strategy <name>', what)
  option.argChoices = ['auto', ...STRATEGY_NAMES]
  return option
}

export const RUN_ID = 'id of the run; a prefix is enough'

export function databaseOption(): Option {
  return new Option(
    '--db <url>',
    'database to ask: sqlite:file.db, postgres://…, mysql://…, or name=URL; repeatable',
  ).argParser(parseDatabase)
}

export function apiOption(): Option {
  return new Option(
    '--api <file>',
    'API to ask: file or URL of its OpenAPI document or catalogue, or name=FILE; repeatable',
  ).argParser(parseApi)
}

export function mcpOption(): Option {
  return new Option('--mcp <file>', 'MCP servers to work with: a JSON file with mcpServers; repeatable').argParser(
    parsePaths,
  )
}

export function allowHostOption(): Option {
  return new Option(
    '--allow-host <host>',
    'internal host that agents may reach: host or host:port; repeatable',
  ).argParser(parseNames)
}

/** Adds the options for sources and hosts. */
export function withSources(command: Command): Command {
  return command
    .addOption(databaseOption())
    .addOption(apiOption())
    .addOption(new Option('--api-key <key>', 'key or token for those APIs; better in the variable TUTTI_API_KEY'))
    .addOption(allowHostOption())
    .addOption(
      new Option('--docs <path>', 'documents to ask: folder, file or pattern; repeatable').argParser(parsePaths),
    )
    .addOption(mcpOption())
}

/** Adds the options for planning. */
export function withPlanning(command: Command): Command {
  return withSources(command)
    .option('--prefer <agents>', 'preferred agents, separated by commas; repeatable', parseNames)
    .option('--disable <agents>', 'agents to exclude; repeatable', parseNames)
    .addOption(contextOption())
    .addOption(systemPromptOption())
    .addOption(modelOption())
}

/** Adds the options of a question, except those that a conversation decides. */
export function withRequest(command: Command): Command {
  return withPlanning(command)
    .option('--locale <tag>', 'format of numbers and money, such as en-IN', parseLocale)
    .option('--max-cost <usd>', 'maximum cost of models in US dollars', parseAmount)
    .option('--max-tokens <n>', 'maximum number of model tokens', parseWholeNumber)
    .option('--max-calls <n>', 'maximum number of model calls', parseWholeNumber)
    .option('--max-turns <n>', 'maximum number of agents to start', parseWholeNumber)
    .option(
      '--timeout <time>',
      'time limit in seconds, or 90s, 5m, 1h; at a limit the run answers with what it has',
      parseDuration,
    )
}

/** Adds the options of an answer, for `ask` and each question of a chat. */
export function withAnswer(command: Command): Command {
  return withRequest(command.addOption(strategyOption()))
    .option('--conversation <id>', 'continue an earlier conversation: its id, or "last"')
    .addOption(
      new Option('--collection <name>', 'use only the documents of this collection; repeatable').argParser(parseNames),
    )
    .option('--no-approvals', 'skip calls that need approval, and mention them in the answer')
    .option('--no-data', 'leave tables out of the response')
    .addOption(traceOption())
}

/** For commands that delete or overwrite. */
export function yesOption(): Option {
  return new Option('-y, --yes', 'skip the confirmation')
}

export function jsonOption(): Option {
  return new Option('--json', 'print one JSON object')
}

export function traceOption(): Option {
  return new Option('--trace', 'also print every step')
}

export function modelOption(): Option {
  return new Option('--model <model>', 'provider:model for this run, or actor=provider:model; repeatable').argParser(
    parseModel,
  )
}

export function contextOption(): Option {
  return new Option('--context <key=value>', 'context for the agents; repeatable').argParser(parseContext)
}

export function systemPromptOption(): Option {
  return new Option('--system-prompt <text>', 'additional instructions for every agent')
}
