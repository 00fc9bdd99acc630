import Database from 'libsql'
import { expect, it } from 'vitest'
import { lookupIn, readSchema, rowsOf } from '../terms/sqlite.fixture.ts'
import { linkQuestion } from './index.ts'

const db = new Database(':memory:')
db.exec(`
CREATE TABLE owners (owner_no INTEGER PRIMARY KEY, name TEXT, town TEXT, newsletter_yn TEXT, vip_flag INTEGER, vip TEXT);
CREATE TABLE vets (vet_no INTEGER PRIMARY KEY, name TEXT, salary INTEGER);
INSERT INTO owners VALUES (1,'Ann','Cork','Y',1,'gold'),(2,'Bea','Cork','N',0,'gold'),(3,'Cat','Ennis','Y',0,'blue'),(4,'Dan','Cork','N',0,'blue');
INSERT INTO vets VALUES (1,'Fox',90),(2,'Hill',70),(3,'Kane',70),(4,'Reid',50);
`)

const ask = (question: string) =>
  linkQuestion(question, readSchema(db, 'clinic'), { lookup: lookupIn(db), today: '2026-10-31' })

it.each([
  ['How many owners in Cork get the newsletter?', [[1]]],
  ['How many owners without newsletter are there?', [[2]]],
  ['How many owners have newsletter yn Y?', [[2]]],
  [
    'Who is the second best paid vet?',
    [
      ['Hill', 70],
      ['Kane', 70],
    ],
  ],
  ['Who is the worst paid vet?', [['Reid', 50]]],
])('%s', async (question, rows) => {
  const linked = await ask(question)
  expect(linked).toMatchObject({ kind: 'query' })
  expect(linked.kind === 'query' && rowsOf(db, linked.sql)).toEqual(rows)
})

it('an ending that tells a flag from a column beside it stays', async () => {
  const linked = await ask('How many owners have vip gold?')
  expect(linked.kind === 'query' && rowsOf(db, linked.sql)).toEqual([[2]])
})

it('nobody is ranked by a pay that no column tells', async () => {
  expect(await ask('Who is the best paid owner?')).toMatchObject({
    kind: 'refusal',
    reason: expect.stringContaining('column of owners'),
  })
})
