import { Option, type Command } from 'commander'
import { parseApi, parseContext, parseDatabase, parseModel, parseNames, parsePaths } from './option-values.ts'

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

export function allowHostOption(): Option {
  return new Option(
    '--allow-host <host>',
    'internal host that agents may reach: host or host:port; repeatable',
  ).argParser(parseNames)
}

/** Adds what a run may ask and where it may go. */
export function withSources(command: Command): Command {
  return command
    .addOption(databaseOption())
    .addOption(apiOption())
    .addOption(new Option('--api-key <key>', 'key or token for those APIs; better in the variable TUTTI_API_KEY'))
    .addOption(allowHostOption())
    .addOption(
      new Option('--docs <path>', 'documents to ask: folder, file or pattern; repeatable').argParser(parsePaths),
    )
}

export function jsonOption(): Option {
  return new Option('--json', 'print one JSON object')
}

export function traceOption(): Option {
  return new Option('--trace', 'print every step, too')
}

export function modelOption(): Option {
  return new Option('--model <model>', 'provider:model for this run, or actor=provider:model; repeatable').argParser(
    parseModel,
  )
}

export function contextOption(): Option {
  return new Option('--context <key=value>', 'something the agents should know; repeatable').argParser(parseContext)
}

export function systemPromptOption(): Option {
  return new Option('--system-prompt <text>', 'instructions added to those of every agent')
}
