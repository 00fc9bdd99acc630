import type { App } from '../../app/user-app.ts'
import type { Chart } from '../../domain/answer-files.ts'
import type { AnswerFormat } from '../../domain/answer-status.ts'
import type { ConversationMessage } from '../../domain/conversation.ts'
import { TuttiError } from '../../domain/errors.ts'
import type { UserReply } from '../../domain/approvals.ts'
import { omitUndefined, pickDefined } from '../../shared/json.ts'
import type { Owner } from '../../domain/events.ts'
import { uncitedSources } from '../../domain/response.ts'
import type { Source } from '../../domain/result.ts'
import type { Table } from '../../domain/table.ts'
import type { RunFilter, RunRecord } from '../../domain/store.ts'
import type { OwnedRuns } from '../../engine/owned-runs.ts'

/** What belongs to an answer besides its text. Contains no trace, excerpts or IDs. */
export interface AnswerSources {
  /** Format of the text. */
  readonly format: AnswerFormat
  readonly data?: Table
  readonly charts?: readonly Chart[]
  readonly replies?: readonly UserReply[]
  readonly sources: {
    /** Number of the citation mark [n] in the text; absent if the source is not cited. */
    readonly n?: number
    readonly kind: Source['kind']
    readonly title: string
    /** Page of the document. */
    readonly page?: number
    /** Database query. */
    readonly query?: string
  }[]
}

/**
 * What belongs to an answer. Empty for questions, and for answers of deleted runs: whether a model wrote the text is no
 * longer known, so it is shown as plain text.
 */
export async function answerSources(
  app: Pick<App, 'as'>,
  owner: Owner,
  { role, runId }: Pick<ConversationMessage, 'role' | 'runId'>,
  withQueries: boolean,
): Promise<AnswerSources> {
  const nothing: AnswerSources = { format: 'text', sources: [] }
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
  return { format: response.metadata.format, ...pickDefined(response, ['data', 'charts', 'replies']), sources }
}

/** Number of the latest runs that are searched. */
const MAX_RUNS = 50

/** Runs of a conversation among the latest that match the filter; newest first. */
export async function conversationRuns(
  runs: OwnedRuns,
  conversationId: string,
  filter: Pick<RunFilter, 'status' | 'from' | 'until'>,
): Promise<readonly RunRecord[]> {
  const matches: RunRecord[] = []
  for (const run of await runs.runs({ ...filter, isFirst: true, limit: MAX_RUNS })) {
    if ((await runs.state(run.runId)).request.conversationId === conversationId) matches.push(run)
  }
  return matches
}

/** Runs that are running or waiting for approval. */
export function openConversationRuns(runs: OwnedRuns, conversationId: string): Promise<readonly RunRecord[]> {
  return conversationRuns(runs, conversationId, { status: ['running', 'waiting'] })
}
