import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, expect, it } from 'vitest'
import { createCliWorld } from './support.ts'
import { openForAll } from '../support/opened.ts'

const world = openForAll(() => createCliWorld())
beforeAll(async () => {
  const databases = [{ name: 'shop', url: 'sqlite:shop.sqlite', terms: 'shop.terms.yaml' }]
  await writeFile(join(world.folder, 'tutti.config.json'), JSON.stringify({ databases }))
  await writeFile(join(world.folder, 'shop.terms.yaml'), '# ours\n')
})

const runId = async (question: string): Promise<string> => (await world.json(['ask', question])).metadata.runId

it('tutti runs verify creates a verified question, where a query can be kept', async () => {
  const kept = await world.run(['runs', 'verify', await runId('How many customers are there?')])
  expect([kept.code, kept.out]).toEqual([0, expect.stringContaining('How many customers are there?\nSELECT')])
  expect(await readFile(join(world.folder, 'shop.terms.yaml'), 'utf8')).toMatch(/^# ours\n+verified:\n/)
  const refused = await world.run(['runs', 'verify', await runId('What is 6 * 7?')])
  expect([refused.code, refused.err]).toEqual([2, expect.stringContaining('one query alone')])
})
