import type { App } from '../../app/user-app.ts'
import { toTuttiError } from '../../domain/errors.ts'
import { LOCAL_OWNER } from '../../domain/events.ts'
import type { EmbeddingConfig } from '../../documents/embedding/config.ts'
import type { QdrantConfig } from '../../documents/qdrant/client.ts'
import { type Environment, mailConfigFromEnv, webSearchFromEnv } from '../../app/config/environment.ts'
import { embeddingFromEnv, qdrantFromEnv } from '../../app/config/embedding.ts'
import type { WebSearchConfig } from '../../web-search/config.ts'
import { hostAndPort } from './machine.ts'
import { omitUndefined } from '../../shared/json.ts'

export interface DocumentsReport {
  readonly ok: boolean
  readonly documents: number
  readonly passages: number
  /** Passages that have no vector of the embedding model yet; none without such a model. */
  readonly pending: number
  /** Without one, passages are found by their words alone. */
  readonly embedding: { readonly model: string; readonly host: string } | null
  /** Why they could not be looked at. */
  readonly message?: string
}

/** What agents ask besides databases and APIs. */
export interface SourcesReport {
  readonly documents: DocumentsReport
  /** The account in words, without secrets, and what mails are sent from. */
  readonly mail: { readonly account: string; readonly from: string } | null
  readonly webSearch: { readonly service: string; readonly host: string } | null
}

/** Servers of others that are set up by the environment and the configuration file, as `leavingOf` takes them. */
export interface ExternalServers {
  readonly embedding?: EmbeddingConfig
  /** Where vectors are searched. */
  readonly qdrant?: QdrantConfig
  /** Addresses of mail servers, `gmail:` or `maildir:…`. */
  readonly mail?: readonly string[]
  readonly web?: WebSearchConfig
  /** The database that everything is kept in, in place of a folder. */
  readonly storage?: string
}

/** @throws TuttiError `ConfigurationError` for settings that are wrong, which `createApp` would have thrown before */
export function externalServers({ config }: Pick<App, 'config'>, env: Environment): ExternalServers {
  const embedding = embeddingFromEnv(env)
  const { url, smtpUrl } = mailConfigFromEnv(env) ?? config.mail
  const qdrant = qdrantFromEnv(env)
  const storage = env['DATABASE_URL']?.trim() ?? ''
  return {
    ...omitUndefined({ embedding, qdrant }),
    mail: [url, smtpUrl].flatMap((address) => address ?? []),
    web: webSearchFromEnv(env),
    ...(storage === '' ? {} : { storage }),
  }
}

/** Documents, mailbox and web search. Documents that cannot be looked at are reported, never thrown. */
export async function reportSources(
  app: Pick<App, 'knowledge' | 'mail'>,
  outside: ExternalServers,
): Promise<SourcesReport> {
  const { mail } = app
  return {
    documents: await documentsOf(app, outside),
    mail: mail === undefined ? null : { account: mail.describe(), from: mail.address },
    webSearch: serviceOf(outside.web ?? {}),
  }
}

async function documentsOf(
  { knowledge }: Pick<App, 'knowledge'>,
  { embedding }: ExternalServers,
): Promise<DocumentsReport> {
  const model =
    embedding === undefined
      ? null
      : { model: `${embedding.provider}:${embedding.model}`, host: hostAndPort(embedding.url) ?? embedding.url }
  const nothing = { ok: true, documents: 0, passages: 0, pending: 0, embedding: model }
  // Looking would make the file that they are kept in.
  if (!knowledge.hasDocuments) return nothing
  try {
    const records = await knowledge.store.documents(LOCAL_OWNER)
    const passages = records.reduce((sum, { chunks }) => sum + chunks, 0)
    const embedded = records.reduce((sum, record) => sum + record.embedded, 0)
    const pending = model === null ? 0 : passages - embedded
    return { ...nothing, documents: records.length, passages, pending }
  } catch (thrown) {
    return { ...nothing, ok: false, message: toTuttiError(thrown).message }
  }
}

function serviceOf({ tavily, searxng }: WebSearchConfig): SourcesReport['webSearch'] {
  if (tavily !== undefined) return { service: 'Tavily', host: new URL(tavily.url).host }
  return searxng === undefined ? null : { service: 'SearXNG', host: new URL(searxng.url).host }
}
