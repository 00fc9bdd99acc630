import type { Outcome } from '../../core/result.ts'
import type { Table } from '../../core/table.ts'
import { plainAnswer } from '../plain-answer.ts'
import type { Tried } from './attempt.ts'
import { NOTHING, remarkOn, remarksOn } from './held/lacks.ts'
import { remarkOnSecond } from './held/second-reading.ts'
import type { Attempt, ProposedQuery, SchemaProposal } from './proposal.ts'
import { describeAnswer, emptyTimes } from './answer.ts'

export function success(
  task: string,
  proposal: ProposedQuery,
  { table, lacks, second }: Tried & { readonly table: Table },
  attempts: readonly Attempt[],
  locale: string | undefined,
): Outcome {
  const { linked, explanation, confidence, by } = proposal
  const { query, database } = attempts.at(-1)!
  const { assumed, unanswered, isOther } = lacks ?? NOTHING
  const remark = remarkOn(lacks ?? NOTHING)
  const answer = linked === undefined ? plainAnswer(table, locale, query) : describeAnswer(linked, table, locale)
  // A time without data has no change to the other.
  const isLacking = remark !== undefined || (linked !== undefined && emptyTimes(linked, table).length > 0)
  const open = isLacking ? [...unanswered, task] : unanswered
  return {
    // A figure of other rows is nothing to be read before one knows.
    answer: remark === undefined ? answer : `${remark} Its result: ${answer}`,
    tabular: table,
    data: { sql: query, database, explanation, assumptions: linked?.assumptions ?? assumed, by, isOther, attempts },
    sources: [{ kind: 'database', name: database, detail: query }],
    ...(confidence === undefined ? {} : { confidence }),
    ...(open.length === 0 ? {} : { unanswered: open }),
    remarks: [
      ...(proposal.remark === undefined ? [] : [proposal.remark]),
      ...(second === undefined ? [] : [remarkOnSecond(second, locale)]),
      ...remarksOn(lacks ?? NOTHING),
    ],
  }
}

export function schemaAnswer({ database, table, explanation }: SchemaProposal): Outcome {
  return {
    answer: explanation,
    tabular: table,
    data: { database, explanation, by: 'rules', attempts: [] },
    sources: [{ kind: 'database', name: database }],
  }
}

export function failure(attempts: readonly Attempt[]): Outcome {
  const last = attempts.at(-1)!
  const error = last.error ?? 'The database gave no reason.'
  return {
    status: 'failed',
    data: { attempts },
    sources: [{ kind: 'database', name: last.database, detail: last.query }],
    error:
      last.blocked === true
        ? { type: 'QueryBlocked', message: `The query was not allowed: ${error}` }
        : { type: 'QueryError', message: `The query failed: ${error}` },
  }
}
