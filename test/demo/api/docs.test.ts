import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { KEY, startTestApi, type Json, type TestApi } from './support.ts'
import { readApiDocument } from '../../../examples/demo-api/document.ts'
import { DEMO_API_KEY, DEMO_API_PORT } from '../../../examples/demo-api/server.ts'

const page = await readFile(join(import.meta.dirname, '..', '..', '..', 'docs', 'demo-data.md'), 'utf8')
const pattern = /^### ([A-Z])\. (.+)\n\n[^#]*?```sql\n([^`]+)```\n\n```text\n([^`]+)\n```/gm
const questions = [...page.matchAll(pattern)].map(([, letter, question, sql, answer]) => {
  return { letter: letter!, question, sql: sql!, answer }
})
const lines = page.split('\n').filter((line) => line.startsWith('curl '))

let api: TestApi

beforeAll(async () => {
  api = await startTestApi()
})

afterAll(() => api.stop())

const percent = (part: number, whole: number): number => Math.round((1000 * part) / whole) / 10

/** How each question is answered with the API alone. */
const FROM_API: Readonly<Record<string, () => Promise<unknown[][]>>> = {
  async A() {
    const orders = await api.walk('/orders?status=open&min_total=500&sort=largest&limit=3')
    const { json } = await api.ask('/orders?limit=1')
    const share = percent(orders.length, Number((json['pagination'] as Json)['total_items']))
    return orders.map((order) => [order['order_id'], order['customer_name'], order['total'], share])
  },
  async B() {
    const invoices = await api.walk('/invoices?overdue=true&limit=3')
    const cents = invoices.reduce((sum, invoice) => sum + Math.round(Number(invoice['balance']) * 100), 0)
    return [[invoices.length, cents / 100]]
  },
  async C() {
    const [late, all] = [await api.walk('/shipments?late=true'), await api.walk('/shipments?limit=100')]
    const of = (records: readonly Json[], carrier: unknown) =>
      records.filter((record) => record['carrier'] === carrier).length
    return [...new Set(all.map((shipment) => shipment['carrier']))]
      .map((carrier) => [carrier, of(late, carrier), of(all, carrier), percent(of(late, carrier), of(all, carrier))])
      .sort((a, b) => Number(b[3]) - Number(a[3]))
  },
}

describe('the questions for the API in docs/demo-data.md', () => {
  it('are three', () => expect(questions.map(({ letter }) => letter)).toEqual(Object.keys(FROM_API)))

  it.each(questions)('$question', async ({ letter, sql, answer }) => {
    const table = (rows: readonly unknown[][]) => rows.map((row) => row.join(' | ')).join('\n')
    expect(table(api.sql(sql).map((row) => Object.values(row)))).toBe(answer)
    expect(table(await FROM_API[letter]!())).toBe(answer)
  })
})

describe('the calls in docs/demo-data.md', () => {
  it('are six, to the usual address with the usual key', () => {
    expect(lines).toHaveLength(6)
    expect(page).toContain(`API=http://127.0.0.1:${DEMO_API_PORT} KEY=${DEMO_API_KEY}`)
  })

  it.each(lines)('%s', async (line) => {
    const { url, ...request } = readCurl(line.replaceAll('$API', api.url).replaceAll('$KEY', KEY))
    const response = await fetch(url, request)
    expect(response.ok, await response.text()).toBe(true)
  })

  it('leave out no operation', async () => {
    for (const { method, url } of (await readApiDocument()).operations)
      expect(page).toContain(`\`${method} ${url.replaceAll(/:(\w+)/g, '{$1}')}\``)
  })
})

function readCurl(line: string): { url: string; method: string; headers: [string, string][]; body?: string } {
  const words = [...line.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map((found) => found[1] ?? found[2] ?? found[3]!)
  const after = (flag: string) => words.flatMap((word, i) => (words[i - 1] === flag ? [word] : []))
  const [body] = after('-d')
  return {
    url: words.at(-1)!,
    method: after('-X')[0] ?? 'GET',
    headers: after('-H').map((header) => header.split(': ', 2) as [string, string]),
    ...(body === undefined ? {} : { body }),
  }
}
