import type { App } from '../../app/user-app.ts'
import type { AnswerFormat } from '../../domain/answer-format.ts'
import type { ConversationMessage } from '../../domain/conversation.ts'
import { TuttiError } from '../../domain/errors.ts'
import { omitUndefined } from '../../shared/omit-undefined.ts'
import type { Owner } from '../../domain/owner.ts'
import { uncitedSources } from '../../domain/response.ts'
import type { Source } from '../../domain/result.ts'
import type { Table } from '../../domain/table.ts'

/** What is beside the words of an answer: no trace, no excerpts, no ids. */
export interface Grounds {
  /** How its words are to be read. */
  readonly format: AnswerFormat
  readonly data?: Table
  readonly sources: {
    /** Of the marks [n] in the text; absent for what has none. */
    readonly n?: number
    readonly kind: Source['kind']
    readonly title: string
    /** In its document. */
    readonly page?: number
    /** What was asked of a database. */
    readonly query?: string
  }[]
}

/** The table of an answer and its sources; nothing of a question, and of a run that was deleted, whose text the conversation keeps: nobody knows any more who wrote that. */
export async function groundsOf(
  app: Pick<App, 'as'>,
  owner: Owner,
  { role, runId }: Pick<ConversationMessage, 'role' | 'runId'>,
  withQueries: boolean,
): Promise<Grounds> {
  const nothing: Grounds = { format: 'text', sources: [] }
  if (role !== 'assistant') return nothing
  const response = await app
    .as(owner)
    .response(runId)
    .catch((thrown: unknown) => {
      if (!TuttiError.is(thrown, 'RunNotFound')) throw thrown
    })
  if (response === undefined) return nothing
  const uncited = uncitedSources(response).map((source) => ({ source, n: undefined }))
  const sources = [...response.citations, ...uncited].map(({ n, source: { kind, name, detail, passage } }) => {
    const query = withQueries && kind === 'database' ? detail : undefined
    return { kind, title: name, ...omitUndefined({ n, page: passage?.page, query }) }
  })
  return { format: response.metadata.format, ...omitUndefined({ data: response.data }), sources }
}
