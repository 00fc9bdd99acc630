import { z } from 'zod'
import { definePrompt, type Message } from '../../core/prompt.ts'
import { jsonLine, onOwnLines, quoted, quotedLines, foundLines } from '../../core/prompt-text.ts'
import { promptInput } from '../prompt-input.ts'

/** What failed before: the query and why. */
const attempt = z.object({ database: z.string(), sql: z.string(), error: z.string() })

const generateInput = z.object({
  ...promptInput,
  /** One block of text a database: name, dialect, tables. */
  databases: z.array(z.object({ name: z.string(), description: z.string() })),
  earlierAttempts: z.array(attempt),
})

const generateOutput = z.object({
  database: z.string().describe('name of the database to ask'),
  sql: z.string().describe('one read-only SELECT statement in the dialect of that database; empty when impossible'),
  explanation: z.string().describe('one sentence: what the query computes; when impossible, what is missing'),
})

type GenerateInput = z.infer<typeof generateInput>

const GENERATE = `You write SQL that answers a question. Rules:
- Exactly one SELECT statement (WITH is fine). It only reads. No semicolon, no comments.
- Use only the tables and columns listed, spelled as listed. Qualify columns when more than one table is used.
- Use the functions of the database's own dialect, ordinary ones only.
- Give every computed column a short, readable name. Order results where the question implies it; limit long lists to 100.
- Mind the level of each table: summing a header amount after joining its lines counts it several times.
- If the listed tables cannot answer the question, leave sql empty and say what is missing. Never guess.`

/** Writes the query; on a retry the failed ones stand in the conversation with their errors (SPEC P5). */
export const generateSql = definePrompt({
  name: 'sql.generate',
  about: {
    purpose: 'Writes the query that answers a question.',
    when: 'the database is asked something that is neither about its schema nor a verified question; again after an error',
    fallback: 'the question is matched to the schema by rules',
  },
  wording: GENERATE,
  data: 'schemas, terms, context and findings',
  // The model's own queries are shown to it as they were.
  verbatim: ['earlierAttempts'],
  input: generateInput,
  output: generateOutput,
  temperature: 0,
  maxOutputTokens: 2_000,
  render: conversation,
  // Without a model the agent links the question to the schema itself, since that takes look-ups in the data.
  fallback: () => ({ database: '', sql: '', explanation: '' }),
})

function conversation({ question, databases, context, findings, earlierAttempts }: GenerateInput) {
  const first = [
    ...(context.length === 0 ? [] : [`Context:\n${onOwnLines(context)}`]),
    ...(findings.length === 0 ? [] : [`Found so far:\n${foundLines(findings)}`]),
    `Question: ${question}`,
  ].join('\n\n')
  const retries = earlierAttempts.flatMap(({ database, sql, error }): Message[] => [
    { role: 'assistant', text: jsonLine({ database, sql, explanation: '' }) },
    { role: 'user', text: retryFeedback(sql, error) },
  ])
  return {
    stable: databases
      .map((database) => `Database "${database.name}":\n${onOwnLines([database.description])}`)
      .join('\n\n'),
    user: [{ role: 'user' as const, text: first }, ...retries],
  }
}

/** The wording of SPEC P5. */
function retryFeedback(query: string, errorText: string): string {
  return `The previous SQL query failed to execute.
Error details: ${quoted(errorText)}
Failing query:
${quotedLines(query)}
Generate a corrected read-only SQL query that addresses the error and try again using only the authorised tables.`
}

const reviewInput = z.object({
  question: z.string(),
  dialect: z.string(),
  description: z.string(),
  sql: z.string(),
  /** Why it is looked at: what it came to, or how it is made. */
  doubt: z.string(),
})

const reviewOutput = z.object({
  correct: z.boolean(),
  problems: z.string().describe('what is wrong; empty when correct'),
  sql: z.string().describe('the corrected statement; empty when correct'),
})

const REVIEW = `You review a SQL query that there is a doubt about. Look for: NOT IN with NULLs, UNION where UNION ALL is meant, wrong join columns,
joins that count rows several times, wrong quoting, wrong data types, BETWEEN with the wrong bounds, wrong number of
arguments, columns or tables that are not listed, and above all: does it answer the question?
If it is right, say so. If not, give the corrected statement: one read-only SELECT over the listed tables.`

/** Has a second look at a query that is doubtful. Without a model it passes as it is. */
export const reviewSql = definePrompt({
  name: 'sql.review',
  about: {
    purpose: 'Has a second look at a query that there is a doubt about.',
    when: 'a query comes after an error, lacks something of the question, is made in a way that often goes wrong, or found nothing, NULL or zero alone',
    fallback: 'the query passes as it is; it goes through the safety check all the same',
  },
  wording: REVIEW,
  data: 'schemas and terms',
  input: reviewInput,
  output: reviewOutput,
  temperature: 0,
  maxOutputTokens: 2_000,
  render: ({ question, dialect, description, sql, doubt }) => ({
    stable: `Dialect: ${dialect}\n\n${onOwnLines([description])}`,
    user: `Query:\n${onOwnLines([sql])}\n\nDoubt: ${doubt}\n\nQuestion: ${question}`,
  }),
  fallback: () => ({ correct: true, problems: '', sql: '' }),
})
