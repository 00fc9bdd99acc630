import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { openForAll } from '../support/opened.ts'
import { createCliWorld } from './support.ts'

const world = openForAll(() => createCliWorld())

const FROM = ['--db', 'sqlite:shop.sqlite']

describe('tutti db describe', { timeout: 120_000 }, () => {
  it('writes a terms file, never overwrites one, and questions use it', async () => {
    const described = await world.run(['db', 'describe', ...FROM, '--to', 'shop.terms.yaml'])
    expect(described).toMatchObject({ code: 0, err: expect.stringContaining('shop.terms.yaml') })
    const path = join(world.folder, 'shop.terms.yaml')
    const text = await readFile(path, 'utf8')
    expect(text).toMatch(/^tables:\n {2}customers:\n {4}called:\n {6}- customer$/m)
    expect((await world.run(['db', 'describe', ...FROM, '--to', 'shop.terms.yaml'])).err).toMatch(/exists already/)

    await writeFile(
      path,
      text
        .replace('- customer\n', '- customer\n      - regular\n')
        .replace(
          'verified: []',
          "verified: [{ question: 'Who is who?', sql: 'SELECT COUNT(*) + 40 AS n FROM customers' }]",
        ),
    )
    const foreign = await world.run(['ask', 'who is who', '--trace', ...FROM])
    expect(foreign.out).not.toContain('n: ')
    expect(foreign.out + foreign.err).toContain('shop.terms.yaml beside the database is not used; name it as terms:')
    const config = join(world.folder, 'tutti.config.yaml')
    await writeFile(config, "databases: [{ url: 'sqlite:shop.sqlite' }]")
    const ask = async (question: string): Promise<string> => (await world.run(['ask', question])).out
    expect(await ask('How many regulars are there?')).toContain('number of customers is 3.')
    expect(await ask('who is who')).toContain('n: 43.')
  })

  it('an invalid file stops the question with its position', async () => {
    await writeFile(join(world.folder, 'shop.terms.yaml'), 'tables: { customers: { caled: [x] } }')
    const { code, out, err } = await world.run(['ask', 'How many customers are there?'])
    expect(code).not.toBe(0)
    expect(out + err).toMatch(/shop\.terms\.yaml.*caled/s)
  })
})
