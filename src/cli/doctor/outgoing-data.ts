import type { Api } from '../../agents/api/open.ts'
import type { Config } from '../../app/config/schema.ts'
import type { ModelsDescription } from '../../models/describe.ts'
import type { NamedDatabase } from '../option-values.ts'
import type { TracingReport } from './examine.ts'
import { hostAndPort } from './machine.ts'
import type { ExternalServers } from './sources.ts'

/** One kind of data that would go to another machine. */
export interface OutgoingData {
  readonly host: string
  readonly what: string
  readonly because: string
}

/** What a run may send to other machines, read from the configuration. Empty: nothing leaves this one. */
export function outgoingData(
  models: ModelsDescription,
  config: Pick<Config, 'databases' | 'mcp'>,
  named: readonly NamedDatabase[],
  apis: readonly Pick<Api, 'catalogue' | 'baseUrl'>[] = [],
  outside: ExternalServers = {},
  tracing: TracingReport = { receivers: [], content: false },
): OutgoingData[] {
  const toModels = models.providers.map(({ name, host, source }) => ({
    host,
    what: 'questions, what is remembered, table and column names, results, passages of documents, mails and pages',
    because: `model provider ${name} (${source}), ${useOf(name, models)}`,
  }))
  const toDatabases = [...config.databases, ...named].flatMap(({ url, name }) => {
    const host = hostAndPort(url)
    return host === undefined ? [] : [{ host, what: 'SQL queries', because: `database ${name ?? databaseName(url)}` }]
  })
  const toMcp = config.mcp.flatMap((server) => {
    const host = 'url' in server ? hostAndPort(server.url) : undefined
    return host === undefined
      ? []
      : [{ host, what: server.offers === 'tools' ? 'tool calls' : 'SQL queries', because: `MCP server ${server.name}` }]
  })
  const toApis = apis.flatMap(({ catalogue, baseUrl }) => {
    const host = hostAndPort(baseUrl ?? catalogue.servers[0] ?? '')
    return host === undefined
      ? []
      : [{ host, what: 'requests with their parameters', because: `API ${catalogue.name}` }]
  })
  const toTracing = tracing.receivers.map(({ kind, host }) => ({
    host,
    what: tracing.content
      ? 'traces of runs with questions, answers and what calls were given, secrets masked'
      : 'traces of runs: names of agents, tools and models, times, tokens, error codes',
    because: kind === 'langfuse' ? 'LANGFUSE_PUBLIC_KEY' : 'OTEL_EXPORTER_OTLP_ENDPOINT',
  }))
  const all = [...toTracing, ...toModels, ...toDatabases, ...toMcp, ...toApis, ...leavesMachine(outside)]
  return all.filter(({ host }) => !isThisMachine(host))
}

function leavesMachine({ embedding, qdrant, mail = [], web = {}, storage }: ExternalServers): OutgoingData[] {
  const to = (url: string, what: string, because: string): OutgoingData[] => {
    const host = hostAndPort(url)
    return host === undefined ? [] : [{ host, what, because }]
  }
  const { tavily, searxng } = web
  const search = tavily ?? searxng
  const service = tavily === undefined ? 'SearXNG' : 'Tavily'
  return [
    ...(embedding === undefined
      ? []
      : to(
          embedding.url,
          'the text of all documents, and what is searched for in them',
          `embedding model ${embedding.provider}:${embedding.model}`,
        )),
    ...(qdrant === undefined ? [] : to(qdrant.url, 'passages of documents and their vectors', 'TUTTI_QDRANT_URL')),
    ...mail.flatMap((address) =>
      /^gmail:/i.test(address)
        ? [{ host: 'gmail.googleapis.com', what: 'mails and searches for them', because: 'mail account' }]
        : to(address, /^smtps?:/i.test(address) ? 'mails that are sent' : 'searches for mails, drafts', 'mail account'),
    ),
    ...(search === undefined ? [] : to(search.url, 'words to search the web for', `web search by ${service}`)),
    ...(storage === undefined
      ? []
      : to(storage, 'all that is kept: runs, documents, memory, conversations', 'DATABASE_URL')),
  ]
}

function useOf(provider: string, { default: usual, actors }: ModelsDescription): string {
  const isOf = (ref: string | undefined): boolean => ref?.startsWith(`${provider}:`) === true
  const own = Object.keys(actors).filter((actor) => isOf(actors[actor]))
  if (isOf(usual)) return 'used by default'
  return own.length > 0 ? `used by ${own.join(', ')}` : 'used only when a request names it'
}

function databaseName(url: string): string {
  return new URL(url).pathname.slice(1)
}

function isThisMachine(host: string): boolean {
  const name = host.replace(/:\d+$/, '')
  return name === 'localhost' || name === '[::1]' || /^127(?:\.\d{1,3}){3}$/.test(name)
}
