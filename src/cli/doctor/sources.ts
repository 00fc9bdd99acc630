import type { App } from '../../app/user-app.ts'
import { toTuttiError } from '../../domain/errors.ts'
import { LOCAL_OWNER } from '../../domain/events.ts'
import { type Environment, webSearchFromEnv } from '../../app/config/environment.ts'
import { embeddingFromEnv } from '../../app/config/embedding.ts'
import { chosenService } from '../../web-search/config.ts'
import { hostAndPort } from './machine.ts'

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

/**
 * Documents, mailbox and web search. Documents that cannot be looked at are reported, never thrown.
 * @throws TuttiError `ConfigurationError` for settings that are wrong, which `createApp` would have thrown before
 */
export async function reportSources(
  { knowledge, mail }: Pick<App, 'knowledge' | 'mail'>,
  env: Environment,
): Promise<SourcesReport> {
  const service = chosenService(webSearchFromEnv(env))
  return {
    documents: await documentsOf(knowledge, env),
    mail: mail === undefined ? null : { account: mail.describe(), from: mail.address },
    webSearch: service === undefined ? null : { service: service.name, host: new URL(service.url).host },
  }
}

async function documentsOf(knowledge: App['knowledge'], env: Environment): Promise<DocumentsReport> {
  const embedding = embeddingFromEnv(env)
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
