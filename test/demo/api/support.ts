import { mkdtemp, rm } from 'node:fs/promises'
import { request as httpRequest } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'libsql'
import { createDemoDatabase } from '../../../src/app/demo-data.ts'
import { startDemoApi, type DemoApi } from '../../../examples/demo-api/server.ts'

export const KEY = 'test-key'

export type Json = Record<string, unknown>

export interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly json: Json
}

export interface Asking {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  /** Sent as JSON; a string is sent unchanged. */
  readonly body?: unknown
}

/** A demo business with its API, in a folder of its own. */
export interface TestApi {
  readonly url: string
  readonly databasePath: string
  ask(path: string, asking?: Asking): Promise<Answer>
  /** All records of a list, page by page as `next` leads. */
  walk(path: string): Promise<Json[]>
  /** Rows of the demo database itself. */
  sql(query: string, ...values: (string | number)[]): Json[]
  /** Restarts the server on the same files. */
  restart(): Promise<void>
  stop(): Promise<void>
}

export async function startTestApi(): Promise<TestApi> {
  const folder = await mkdtemp(join(tmpdir(), 'tutti-demo-api-'))
  const databasePath = join(folder, 'brindlemoor.sqlite')
  await createDemoDatabase(databasePath)
  const start = (): Promise<DemoApi> => startDemoApi({ databasePath, port: 0, apiKey: KEY })
  let server = await start()
  const database = new Database(databasePath)
  const ask: TestApi['ask'] = async (path, { method = 'GET', headers = {}, body } = {}) => {
    const response = await fetch(server.url + path, {
      method,
      headers: {
        'X-Api-Key': KEY,
        Authorization: `Bearer ${KEY}`,
        ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
    return { status: response.status, headers: response.headers, json: (await response.json()) as Json }
  }
  return {
    get url() {
      return server.url
    },
    databasePath,
    ask,
    async walk(path) {
      const records: Json[] = []
      for (let next: string | null = path; next !== null;) {
        const { json } = await ask(next)
        records.push(...(json['data'] as Json[]))
        next = (json['pagination'] as { next: string | null }).next
      }
      return records
    },
    sql: (query, ...values) => database.prepare(query).all([...values]) as Json[],
    async restart() {
      await server.close()
      server = await start()
    },
    async stop() {
      database.close()
      await server.close()
      await rm(folder, { recursive: true })
    },
  }
}

/** A request with headers that `fetch` would not send, such as another `Host`. */
export function rawStatus(
  url: string,
  options: { method?: string; headers?: Record<string, string> },
): Promise<number> {
  return new Promise((resolve, reject) => {
    const request = httpRequest(url, options, (response) => {
      response.resume()
      resolve(response.statusCode ?? 0)
    })
    request.on('error', reject)
    request.end()
  })
}
