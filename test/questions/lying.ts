import { sqlAgent } from '../../src/agents/sql/agent.ts'
import type { SqlSource } from '../../src/agents/sql/source.ts'
import type { ActorContext, AgentTask } from '../../src/core/actor.ts'
import type { Outcome } from '../../src/core/result.ts'
import type { createGate } from '../../src/databases/gate/index.ts'
import type { Paired } from './pairs.ts'

/** What the agent makes of a question when a model writes this query for it, and finds it right whatever is said of it. */
export async function answered(
  { name, db, schema, terms }: Paired,
  gate: ReturnType<typeof createGate>,
  { question, today }: { readonly question: string; readonly today: string },
  sql: string,
): Promise<Outcome> {
  const source: SqlSource = {
    name,
    trusted: true,
    schema: async () => schema,
    check: (query) => gate.check(query, schema),
    terms: async () => ({ terms }),
    query: async (query) => {
      const statement = db.prepare(query).raw(true)
      const data = statement.all([]) as unknown[][]
      return { success: true, columns: statement.columns().map((column) => column.name), data, row_count: data.length }
    },
  }
  const task = { id: 't', text: question, entities: {}, facts: {}, isOnly: true, inputs: () => [] }
  const ctx = {
    signal: new AbortController().signal,
    request: { question, context: { current_date: today } },
    now: () => 0,
    note: () => undefined,
    decline: (reason: string) => ({ status: 'declined', answer: reason }),
    call: (tool: { run: (input: unknown, ctx: unknown) => unknown }, input: unknown) => tool.run(input, ctx),
    ask: async (prompt: { name: string }) => ({
      by: 'model',
      value: /review/i.test(prompt.name)
        ? { correct: true, problems: '', sql: '' }
        : { database: name, sql, explanation: '' },
    }),
  }
  return sqlAgent([source]).run(task as unknown as AgentTask, ctx as unknown as ActorContext)
}

/** What is said of it that a person reads before or beside the result; empty where it is given as the answer. */
export function saidOf({
  status = 'succeeded',
  answer = '',
  error,
  data,
  remarks = [],
  unanswered = [],
}: Outcome): string {
  const { isOther = false, assumptions = [] } = (data ?? {}) as { isOther?: boolean; assumptions?: readonly string[] }
  return [
    ...(status === 'succeeded' ? [] : [`${status}: ${error?.message ?? answer}`]),
    ...(isOther ? [answer] : []),
    ...assumptions,
    ...remarks,
    ...(unanswered.length > 0 && remarks.length === 0 && !isOther ? ['unanswered'] : []),
  ].join(' | ')
}
