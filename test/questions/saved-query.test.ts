import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'libsql'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { App } from '../../src/app.ts'
import { createDemoDatabase } from '../../src/demo/database.ts'
import { openApp } from '../../src/setup/setup.ts'

/** A question with a query that somebody saved: its days are those of the question, and the answer says where it comes from. */

const OVERDUE = "SELECT COUNT(*) AS overdue FROM invoices WHERE status <> 'paid' AND due_date < :today"
const TERMS = `
verified:
  - { question: How many invoices are overdue?, sql: "${OVERDUE}" }
  - { question: How many orders came last month?, sql: "SELECT COUNT(*) AS n FROM orders WHERE order_date >= date(:today, 'start of month', '-1 month') AND order_date < date(:today, 'start of month')" }
  - { question: How many orders are old?, sql: "SELECT COUNT(*) AS n FROM orders WHERE order_date < '2025-03-01'" }
  - { question: How many orders came in 2025?, sql: "SELECT COUNT(*) AS n FROM orders WHERE order_date >= '2025-01-01' AND order_date < '2026-01-01'" }
`
const DAYS = ['2025-01-15', '2025-11-30', '2026-02-28', '2026-10-31', '2027-01-01']

let folder: string
let db: Database.Database
let app: App

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tutti-saved-'))
  const file = join(folder, 'shop.sqlite')
  await createDemoDatabase(file)
  await writeFile(join(folder, 'shop.terms.yaml'), TERMS)
  await writeFile(join(folder, 'tutti.config.json'), JSON.stringify({ databases: [{ url: `sqlite:${file}` }] }))
  db = new Database(file, { readonly: true })
  app = await openApp({
    env: {},
    cwd: folder,
    inMemory: true,
  })
})

afterAll(async () => {
  await app.close()
  db.close()
  await rm(folder, { recursive: true })
})

const asked = async (question: string, day: string) => {
  const { answer, data } = await app.ask({ question, context: { current_date: day } })
  if (data === undefined) throw new Error(answer)
  return { answer, n: Object.values(data.rows[0]!)[0] }
}
const counted = (sql: string, ...values: string[]): unknown =>
  Object.values(db.prepare(sql).get(...values) as object)[0]

it.each(DAYS)('counts from the day of the question: %s', async (day) => {
  const overdue = await asked('how many invoices are overdue', day)
  expect(overdue.n).toBe(counted(OVERDUE.replace(':today', '?'), day))
  expect(overdue.answer).toContain(
    `a saved query gives that somebody has found right for this question; it counts from ${day}.`,
  )
  const [year, month] = [Number(day.slice(0, 4)), Number(day.slice(5, 7))]
  const before = month === 1 ? `${year - 1}-12` : `${year}-${String(month - 1).padStart(2, '0')}`
  const last = await asked('How many orders came last month?', day)
  expect(last.n).toBe(counted("SELECT COUNT(*) FROM orders WHERE strftime('%Y-%m', order_date) = ?", before))
})

it('names days that are fixed and that the question does not name', async () => {
  const { answer } = await asked('How many orders are old?', DAYS[0]!)
  expect(answer).toMatch(/saved query .*always goes by 2025-03-01, which the question does not name/)
  const named = await asked('How many orders came in 2025?', DAYS[0]!)
  expect(named.answer).toMatch(/saved query/)
  expect(named.answer).not.toMatch(/goes by/)
})
