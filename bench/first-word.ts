import { existsSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { createApp } from '../src/app/create-app.ts'
import { createDemoDatabase } from '../src/app/demo-data.ts'
import { startModelServer, type Rule } from '../src/testing/model-server.ts'

/** How long a model takes for each call. */
export const CALL_MS = 800

export interface FirstWord {
  readonly question: string
  readonly strategy: string
  readonly calls: number
  /** Calls made until the first word is shown, the one that writes it among them. */
  readonly before: number
  readonly firstWordMs: number
  readonly answerMs: number
}

const DATABASE = 'How many customers are there?'
const DOCUMENTS = 'Within how many days must damaged goods be reported?'
const BOTH = `What does the returns policy say about damaged goods, and how many customers are there?`

const CASES: readonly (readonly [kind: string, question: string, strategy: string])[] = [
  ['database', DATABASE, 'auto'],
  ['database', DATABASE, 'graph'],
  ['documents', DOCUMENTS, 'auto'],
  ['documents', DOCUMENTS, 'graph'],
  ['documents and database', BOTH, 'auto'],
]

/** Time to the first word of answers with the built library and a scripted model; undefined where it is not built. */
export async function firstWordCosts(): Promise<readonly FirstWord[] | undefined> {
  const entry = resolve('dist/index.js')
  if (!existsSync(entry)) return undefined
  const library = (await import(pathToFileURL(entry).href)) as { readonly createApp: typeof createApp }
  const folder = await mkdtemp(join(tmpdir(), 'tutti-first-word-'))
  const server = await startModelServer()
  await createDemoDatabase(join(folder, 'demo.sqlite'))
  await writeFile(
    join(folder, 'returns-policy.md'),
    '# Returns policy\n\nDamaged goods must be reported within 7 days.\n',
  )
  try {
    const found: FirstWord[] = []
    for (const [kind, question, strategy] of CASES) {
      const app = await library.createApp({
        cwd: folder,
        models: { providers: [{ kind: 'compatible', name: 'scripted', baseUrl: server.url }] },
        ...(kind === 'documents' ? {} : { databases: [{ url: 'sqlite:demo.sqlite', name: 'demo' }] }),
        ...(kind === 'database' ? {} : { documents: ['returns-policy.md'] }),
      })
      try {
        // The first time documents are taken in, and code is loaded.
        for (const isWarm of [false, true]) {
          server.script(rules())
          const startedAt = performance.now()
          let first: { readonly ms: number; readonly before: number } | undefined
          const runId = await app.start({ question, strategy, memory: false })
          for await (const item of app.runs.stream(runId)) {
            if (item.type !== 'live.text') continue
            first ??= { ms: performance.now() - startedAt, before: server.requests.length }
          }
          const answerMs = performance.now() - startedAt
          const { metadata } = await app.response(runId)
          const { ms = Number.NaN, before = 0 } = first ?? {}
          const how = `${strategy}${strategy === metadata.strategy ? '' : ` (${metadata.strategy})`}`
          const cost = { calls: metadata.usage.calls, before, firstWordMs: ms, answerMs }
          if (isWarm) found.push({ question: kind, strategy: how, ...cost })
        }
      } finally {
        await app.close()
      }
    }
    return found
  } finally {
    await server.close()
    await rm(folder, { recursive: true, force: true })
  }
}

function rules(): Rule[] {
  const sql = 'SELECT count(*) AS customers FROM customers'
  const tasks = ({ text }: { readonly text: string }) =>
    [
      { id: 'd', agent: 'rag', text: DOCUMENTS, isNeeded: /damaged/.test(text) },
      { id: 's', agent: 'sql', text: DATABASE, isNeeded: /customers are there/.test(text) },
    ].flatMap(({ isNeeded, ...task }) => (isNeeded ? [{ ...task, tools: null, dependsOn: [] }] : []))
  const entities = { date_range: null, doc_type: null, metric: null, names: [], emails: [], others: [] }
  const written = 'Damaged goods must be reported within 7 days [s1]. '
  return [
    { when: 'You describe a document', reply: { json: { description: 'A policy on returns.', topics: ['returns'] } } },
    {
      when: 'You plan how specialist agents',
      reply: (asked) => ({
        latencyMs: CALL_MS,
        json: { intent: 'answer', entities, tasks: tasks(asked), rationale: 'r', confidence: 0.9 },
      }),
    },
    {
      when: ({ text, messages }) => text.includes('search_documents finds') && messages.at(-1)?.role !== 'tool',
      reply: { latencyMs: CALL_MS, toolCalls: [{ name: 'search_documents', arguments: { query: 'damaged goods' } }] },
    },
    { when: 'You write SQL', reply: { latencyMs: CALL_MS, json: { database: 'demo', sql, explanation: 'all' } } },
    {
      when: 'search_documents finds',
      reply: { latencyMs: CALL_MS, text: `${written}Nothing else is said.` },
    },
    {
      when: 'senior business intelligence',
      reply: ({ text }) => ({
        latencyMs: CALL_MS,
        text: `${/Damaged goods/.test(text) ? written : ''}There are 92 customers${/Damaged goods/.test(text) ? ' [2]' : ''}. That is all.`,
      }),
    },
  ]
}
