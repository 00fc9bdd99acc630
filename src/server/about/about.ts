import { z } from 'zod'
import { shippedHashes } from '../../app/demo-data.ts'
import { hashFile } from '../../documents/ingest/hash.ts'
import type { App } from '../../app/user-app.ts'
import type { Resource } from '../context.ts'
import { pluralize } from '../../shared/pluralize.ts'
import { omitUndefined } from '../../shared/json.ts'
import { iso } from '../schemas.ts'
import { usableSources } from '../sources.ts'

const suggestionSchema = z.object({ question: z.string(), agents: z.array(z.string()).readonly() })

export interface Suggestion extends z.infer<typeof suggestionSchema> {
  /** Whether the question is about documents of the demo only. */
  readonly isOfDemo?: true
}

const sourceSchema = z.object({
  kind: z.enum(['database', 'documents', 'api', 'mcp', 'mail']),
  name: z.string(),
  about: z.string().optional().describe('Its size, or its owner'),
  count: z.number().int().optional().describe('Number of tables, files, operations or tools'),
})

const aboutSchema = z
  .object({
    model: z.string().optional().describe('Absent if no model is configured and answers are made by rules'),
    models: z.array(z.string()).readonly().describe('All configured models'),
    sources: z.array(sourceSchema).readonly(),
    suggestions: z.array(suggestionSchema).readonly().describe('Example questions for the connected sources'),
  })
  .meta({ id: 'About' })

/** Maximum of questions per database: verified ones, or else examples made from its tables. */
const MAX_PER_DATABASE = 3
const MAX_SUGGESTIONS = 6

/** Connected sources and example questions. */
export function aboutResource(suggested: readonly Suggestion[] = []): Resource {
  return async (routes, { app, clock }) => {
    routes.get(
      '/about',
      { access: 'read', summary: 'Connected sources and example questions', response: aboutSchema },
      async ({ caller, signal }) => {
        const { default: model, actors } = app.models.describe()
        const sources = await usableSources(app, caller.userId)
        const documents = await app.knowledge.store.documents(await app.knowledge.shared.readableScope(caller))
        const hashes = suggested.some((one) => one.isOfDemo) ? await shippedHashes(hashFile) : new Set<string>()
        const hasDemoDocuments = documents.some(({ hash }) => hashes.has(hash))
        const demoSuggestions = suggested
          .filter(({ isOfDemo }) => isOfDemo !== true || hasDemoDocuments)
          .filter(({ agents }) => agents.every((agent) => hasSource(agent, sources, documents.length)))
          .map(({ question, agents }) => ({ question, agents }))
          .slice(0, MAX_SUGGESTIONS)
        const seen = new Set(demoSuggestions.map(({ question }) => question))
        const databaseSuggestions = (
          demoSuggestions.length < MAX_SUGGESTIONS
            ? await databaseQuestions(app, sources, iso(clock.now()).slice(0, 10), signal)
            : []
        ).filter(({ question }) => !seen.has(question))
        return {
          model,
          models: [...new Set([...(model === undefined ? [] : [model]), ...Object.values(actors)])],
          sources: [...(await databases(sources, signal)), ...otherSources(sources, documents.length)],
          suggestions: [...demoSuggestions, ...databaseSuggestions].slice(0, MAX_SUGGESTIONS),
        }
      },
    )
  }
}

type Sources = Awaited<ReturnType<typeof usableSources>>
type Source = z.infer<typeof sourceSchema>

/** Whether the caller may use a source that this agent works on. */
function hasSource(agent: string, { databases: all, apis, mail }: Sources, documents: number): boolean {
  const sources: Readonly<Record<string, boolean>> = {
    sql: all.length > 0,
    rag: documents > 0,
    api: apis.length > 0,
    mail: mail !== undefined,
  }
  return sources[agent] ?? true
}

/** A database that does not respond is listed as well: a question to it returns the error. */
async function databases({ databases: all }: Sources, signal: AbortSignal): Promise<Source[]> {
  return Promise.all(
    all.map(async ({ name, schema }) => {
      const result = await schema(signal).catch(() => undefined)
      const tables = result !== undefined && 'tables' in result ? result.tables.length : undefined
      return { kind: 'database', name, ...(tables === undefined ? {} : countText(tables, 'table')) }
    }),
  )
}

function otherSources({ apis, mcp, mail }: Sources, documents: number): Source[] {
  return [
    ...(documents === 0 ? [] : [{ kind: 'documents' as const, name: 'Documents', ...countText(documents, 'file') }]),
    ...apis.map(({ catalogue }) => {
      return { kind: 'api' as const, name: catalogue.name, ...countText(catalogue.endpoints.length, 'operation') }
    }),
    ...mcp.map(({ name, tools }) => ({ kind: 'mcp' as const, name, ...countText(tools.length, 'tool') })),
    ...(mail === undefined ? [] : [{ kind: 'mail' as const, name: 'Mailbox', about: mail.address }]),
  ]
}

async function databaseQuestions(
  app: Pick<App, 'suggestQuestions'>,
  { databases: all }: Sources,
  today: string,
  signal: AbortSignal,
): Promise<Suggestion[]> {
  const lists = await Promise.all(
    all.map(async (source) => {
      const terms = (await source.terms?.().catch(() => undefined))?.terms
      const verified = terms?.verified ?? []
      if (verified.length > 0) return verified.map(({ question }) => question)
      const schema = await source.schema(signal).catch(() => undefined)
      if (schema === undefined) return []
      return app.suggestQuestions(schema, { today, ...omitUndefined({ terms }) })
    }),
  )
  return lists.flatMap((questions) =>
    questions.slice(0, MAX_PER_DATABASE).map((question) => ({ question, agents: ['sql'] })),
  )
}

function countText(count: number, what: string): Pick<Source, 'about' | 'count'> {
  return { about: pluralize(count, what), count }
}
