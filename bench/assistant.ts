/**
 * What a question costs that takes one query: the assistant with the demo database, beside a bare loop of the AI SDK over the same
 * file (`baseline/loop.mjs`), against the same scripted server.
 */
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { createDemoDatabase } from '../src/app/demo-data.ts'
import type { Rule } from '../src/testing/model-server.ts'
import { median } from './measure.ts'
import { startModelProcess } from './model-process.ts'

const QUESTION = 'How many customers do we have?'
/** A column of the result, which tells the second turn from the first. */
const MARK = 'customers_in_all'
const ANSWER = 'We have 48 customers.'
const RULES: readonly Rule[] = [
  { when: MARK, reply: { text: ANSWER } },
  { reply: { toolCalls: [{ name: 'query', arguments: { sql: `SELECT count(*) AS ${MARK} FROM customers` } }] } },
]

export interface LoopCost {
  readonly turns: number
  /** Bytes of the requests of one question, by four. */
  readonly promptTokens: number
  /** Milliseconds of processor time of one warm question. */
  readonly cpuMs: number
}

export type Library = Pick<typeof import('../src/index.ts'), 'createApp' | 'defineTool' | 'toolAgent'>
type Server = Awaited<ReturnType<typeof startModelProcess>>

/** The built library, where it is built. */
export async function builtLibrary(): Promise<Library | undefined> {
  const entry = join(process.cwd(), 'dist/index.js')
  return existsSync(entry) ? ((await import(pathToFileURL(entry).href)) as Library) : undefined
}

/** So many questions of each; the first third of the assistant's warms up. */
export async function assistantCosts(
  library: Pick<Library, 'createApp'>,
  questions: number,
): Promise<{ tutti: LoopCost; bare: LoopCost }> {
  const folder = await mkdtemp(join(tmpdir(), 'tutti-bench-assistant-'))
  const database = join(folder, 'demo.sqlite')
  await createDemoDatabase(database)
  const server = await startModelProcess(RULES)
  try {
    return {
      tutti: await tuttiCost(library, database, server, questions),
      bare: await bareCost(database, server.url, questions),
    }
  } finally {
    server.close()
    await rm(folder, { recursive: true })
  }
}

async function tuttiCost(
  library: Pick<Library, 'createApp'>,
  database: string,
  server: Server,
  questions: number,
): Promise<LoopCost> {
  const app = await library.createApp({
    models: { providers: [{ kind: 'compatible', name: 'scripted', baseUrl: server.url }] },
    databases: [{ url: `sqlite:${database}` }],
  })
  try {
    const times: number[] = []
    for (let i = 0; i < questions; i++) {
      const start = process.cpuUsage()
      const { answer } = await app.ask({ question: QUESTION, memory: false })
      const { user, system } = process.cpuUsage(start)
      if (answer !== ANSWER) throw new Error(`The assistant gave another answer: ${answer}`)
      times.push((user + system) / 1_000)
    }
    const requests = await server.requests()
    const bytes = requests.reduce((sum, { body }) => sum + JSON.stringify(body).length, 0)
    return {
      turns: requests.length / questions,
      promptTokens: Math.round(bytes / 4 / questions),
      cpuMs: median(times.slice(Math.ceil(questions / 3))),
    }
  } finally {
    await app.close()
  }
}

async function bareCost(database: string, url: string, questions: number): Promise<LoopCost> {
  const program = join(process.cwd(), 'bench/baseline/loop.mjs')
  const { stdout } = await promisify(execFile)(process.execPath, [program, url, database, QUESTION, String(questions)])
  return JSON.parse(stdout) as LoopCost
}
