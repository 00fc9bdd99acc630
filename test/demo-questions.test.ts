import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import Database from 'libsql'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createDemoDatabase } from '../src/app/demo-data.ts'
import { temporaryFolder } from './support/temporary-folder.ts'

const page = await readFile(join(import.meta.dirname, '..', 'docs', 'demo-data.md'), 'utf8')
const pattern = /^### \d+\. (.+)\n\n```sql\n([^`]+)```\n\n```text\n([^`]+)\n```/gm
const questions = [...page.matchAll(pattern)].map(([, question, sql, answer]) => ({ question, sql: sql!, answer }))

const folder = temporaryFolder()
let database: Database.Database

beforeAll(async () => {
  await createDemoDatabase(join(folder, 'demo.sqlite'))
  database = new Database(join(folder, 'demo.sqlite'), { readonly: true })
})

afterAll(async () => {
  database.close()
})

describe('the questions of docs/demo-data.md', () => {
  it('are ten', () => expect(questions).toHaveLength(10))

  it.each(questions)('$question', ({ sql, answer }) => {
    const rows = database.prepare(sql).raw().all([]) as unknown[][]
    expect(rows.map((row) => row.join(' | ')).join('\n')).toBe(answer)
  })
})
