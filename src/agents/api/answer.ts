import type { Source } from '../../domain/result.ts'
import type { Table } from '../../domain/table.ts'
import { textOfOutput } from '../../tool-loop/result-text.ts'
import type { Reply } from './response/reply.ts'

/** The answer to a request: one response, or all pages of it. */
export interface ApiAnswer extends Omit<Reply, 'json' | 'nextUrl' | 'retryAfter'> {
  /** The records, if the answer is a list of them. */
  readonly tabular?: Table
  /** A body that is not a list of records; for a list, the plain values beside it, such as a total. */
  readonly json?: unknown
  readonly pages: number
  /** Which sign-in was used. */
  readonly signIn: string
  /** Query parameters of the plan that were not sent. */
  readonly leftOut?: readonly string[]
  readonly sources: readonly Source[]
}

/** The answer as a model reads it. */
export function showAnswer(answer: ApiAnswer, [id]: readonly string[]): string {
  const { status, pages, sources, leftOut = [], isCut, artifact, tabular, json } = answer
  const names = leftOut.map((name) => `"${name.slice(0, 60)}"`).join(', ')
  return [
    `[${id}] ${sources[0]!.detail}: ${status}${pages > 1 ? `, ${pages} pages` : ''}`,
    ...(names === '' ? [] : [`Sent without ${names}, which this endpoint does not declare.`]),
    ...(isCut ? ['This is not the whole answer.'] : []),
    ...(artifact === undefined ? [] : [`More of it is kept as ${artifact.id}.`]),
    ...(tabular !== undefined && json !== undefined ? [JSON.stringify(json)] : []),
    contentOf(answer),
  ].join('\n')
}

function contentOf({ kind, mediaType, bytes, tabular, text, json }: ApiAnswer): string {
  if (kind === 'empty') return 'The answer has no content.'
  if (kind === 'binary') return `The answer is a file (${mediaType || 'unknown type'}, ${bytes} bytes).`
  if (tabular !== undefined) return textOfOutput(tabular)
  return text ?? JSON.stringify(json)
}

/** `data` of a result of the agent. */
export function apiData(plan: unknown, answer: ApiAnswer, by: 'model' | 'rules') {
  const { method, url, signIn, status, pages, artifact, tabular, json } = answer
  return {
    plan,
    request: { method, url, signIn },
    status,
    pages,
    by,
    ...(artifact === undefined ? {} : { artifact }),
    ...(tabular === undefined && json !== undefined ? { response: json } : {}),
  }
}
