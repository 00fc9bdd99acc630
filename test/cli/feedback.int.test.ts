import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { createCliWorld } from './support.ts'
import { openForAll } from '../support/opened.ts'

const world = openForAll(() => createCliWorld())
beforeAll(async () => {
  const databases = [{ name: 'shop', url: 'sqlite:shop.sqlite', terms: 'shop.terms.yaml' }]
  await writeFile(join(world.folder, 'tutti.config.json'), JSON.stringify({ databases }))
  await writeFile(join(world.folder, 'shop.terms.yaml'), '# ours\n')
})

const runId = async (question: string): Promise<string> =>
  (JSON.parse((await world.run(['ask', question, '--json'])).out) as { metadata: { runId: string } }).metadata.runId

describe('feedback on an answer', () => {
  it('creates a case from a wrong one', async () => {
    const id = await runId('What is 6 * 7?')
    expect((await world.run(['runs', 'feedback', id])).err).toContain('Use --up or --down.')
    const { err } = await world.run(['runs', 'feedback', id, '--correction', 'Forty-two'])
    const command = /eval add \S+ --to cases\.jsonl/.exec(err)![0]
    expect((await world.run(command.split(' '))).err).toContain('Added run')
    expect(JSON.parse(await readFile(join(world.folder, 'cases.jsonl'), 'utf8'))).toMatchObject({
      question: 'What is 6 * 7?',
      expect: { judge: 'Forty-two' },
    })
    expect((await world.run(['runs', 'feedback'])).out).toMatch(/down .*What is 6 \* 7\? +Forty-two/)
  })

  it('creates a verified question from a right one', async () => {
    const id = await runId('How many customers are there?')
    const { err } = await world.run(['runs', 'feedback', id, '--up'])
    const command = /runs verify \S+/.exec(err)![0]
    const kept = await world.run(command.split(' '))
    expect([kept.code, kept.out]).toEqual([0, expect.stringContaining('How many customers are there?\nSELECT')])
    expect(await readFile(join(world.folder, 'shop.terms.yaml'), 'utf8')).toMatch(/^# ours\n+verified:\n/)
    const refused = await world.run(['runs', 'verify', await runId('What is 6 * 7?')])
    expect([refused.code, refused.err]).toEqual([2, expect.stringContaining('one query alone')])
  })
})
