import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { sqlLoop, startModelServer } from '../support/model-server.ts'
import { createCliWorld, modelEnv } from './support.ts'
import { openForAll } from '../support/opened.ts'

const world = openForAll(() => createCliWorld())

const SHOP = ['--db', 'sqlite:shop.sqlite']

const RIGHT = { id: 'count', question: 'How many customers are there?', expect: { number: 3 } }
const WRONG = { id: 'miscounted', question: 'How many orders are there?', expect: { number: 4 } }
const DECLINED = { id: 'unknown', question: 'How many spaceships are there?', expect: { number: 4 } }
const REFUSED = { id: 'refused', question: 'How many spaceships are there?', expect: { refusal: true } }

interface Shown {
  readonly cases: readonly {
    readonly id: string
    readonly verdict: string
    readonly turns: readonly { readonly calls: number }[]
  }[]
}

async function write(name: string, ...cases: readonly object[]): Promise<string> {
  await writeFile(join(world.folder, name), cases.map((one) => `${JSON.stringify(one)}\n`).join(''))
  return name
}

const verdictsOf = (out: string): string[] =>
  (JSON.parse(out) as Shown).cases.map(({ id, verdict }) => `${id} ${verdict}`)

describe('tutti eval', () => {
  it('counts right, declined and wrong separately, and applies the given limits', async () => {
    const file = await write('cases.jsonl', RIGHT, WRONG, DECLINED, REFUSED)
    const json = await world.run(['eval', file, ...SHOP, '--json', '--max-wrong', '1', '--min-score', '50%'])
    expect(json).toMatchObject({ code: 0 })
    expect(verdictsOf(json.out)).toEqual(['count right', 'miscounted wrong', 'unknown declined', 'refused right'])
    const strict = await world.run(['eval', file, ...SHOP, '--max-wrong', '0', '--min-score', '0.51'])
    expect(strict.code).toBe(1)
    expect(strict.err).toContain(
      'Not good enough: 50.0 % are right, less than 51.0 %; 1 are wrong or failed, more than 0.',
    )
    expect(strict.out).toMatch(/all +4 +2 +1 +1 +50\.0 %/)
    expect(strict.out).toContain('number: 4 is not stated')
    // Nothing of it is kept.
    expect((await world.run(['runs', 'list', '--json'])).out).toContain('"runs": []')
  })

  it('compares with an earlier evaluation', async () => {
    const file = await write('before.jsonl', RIGHT, WRONG, DECLINED)
    const before = await world.run(['eval', file, ...SHOP, '--json'])
    await writeFile(join(world.folder, 'before.json'), before.out)
    await write('before.jsonl', { ...RIGHT, expect: { number: 5 } }, WRONG, REFUSED)
    const now = await world.run(['eval', file, ...SHOP, '--compare', 'before.json'])
    expect(now).toMatchObject({ code: 0 })
    expect(now.out).toMatch(/count +right +wrong/)
    expect(now.out).toMatch(/refused +right/)
    expect(now.out).not.toMatch(/miscounted +wrong +wrong/)
  })

  it('asks each case in its own conversation, and its turns in the same one', async () => {
    const server = await startModelServer([
      ...sqlLoop('SELECT count(*) AS n FROM customers', 'There are 3 customers.'),
      { reply: { status: 400 } },
    ])
    const turns = [
      { question: 'First of apples' },
      { question: 'Second of apples', expect: { contains: '3 customers' } },
    ]
    const other = [{ question: 'First of pears' }, { question: 'Second of pears', expect: { contains: '3 customers' } }]
    const file = await write('turns.jsonl', { id: 'a', turns }, { id: 'b', turns: other })
    const { out } = await world.run(['eval', file, ...SHOP, '--json'], { env: modelEnv(server) })
    expect(verdictsOf(out)).toEqual(['a right', 'b right'])
    const seconds = server.requests.filter(
      ({ text, messages }) =>
        text.includes('## Databases') && text.includes('Second of') && messages.at(-1)?.role !== 'tool',
    )
    expect(seconds).toHaveLength(2)
    for (const { text } of seconds) {
      const [own, foreign] = text.includes('Second of apples')
        ? ['First of apples', 'First of pears']
        : ['First of pears', 'First of apples']
      expect(text).toContain(own)
      expect(text).not.toContain(foreign)
    }
    await server.close()
  })

  it('uses a model as judge, and no judge without one', async () => {
    const cases = [
      { ...RIGHT, id: 'judged', expect: { judge: 'three customers' } },
      { ...RIGHT, id: 'denied', expect: { number: 3, judge: 'no customer at all' } },
    ]
    const file = await write('judged.jsonl', ...cases)
    expect(verdictsOf((await world.run(['eval', file, ...SHOP, '--json'])).out)).toEqual([
      'judged failed',
      'denied failed',
    ])
    const server = await startModelServer([
      { when: /You judge[^]*no customer at all/, reply: { json: { correct: false, reason: 'There are three.' } } },
      { when: 'You judge', reply: { json: { correct: true, reason: 'It says so.' } } },
      ...sqlLoop('SELECT count(*) AS n FROM customers', 'There are 3 customers.'),
      { reply: { status: 400 } },
    ])
    const { out } = await world.run(['eval', file, ...SHOP, '--json'], { env: modelEnv(server) })
    expect(verdictsOf(out)).toEqual(['judged right', 'denied wrong'])
    expect(out).toContain('There are three.')
    await server.close()
  })

  it.each([
    [['eval'], 'Name a file with cases'],
    [['eval', 'missing.jsonl'], 'missing.jsonl cannot be read'],
    [['eval', 'bad.jsonl'], 'bad.jsonl, line 2: no JSON'],
    [['eval', 'good.jsonl', '--min-score', '80'], 'Write a share such as 0.8 or 80%.'],
    [['eval', 'good.jsonl', '--compare', 'bad.jsonl'], 'bad.jsonl is no evaluation'],
    [['eval', 'good.jsonl', '--prefer', 'nobody'], 'Unknown agent: nobody'],
  ])('refuses %j', async (args, said) => {
    await write('good.jsonl', RIGHT)
    await writeFile(join(world.folder, 'bad.jsonl'), `${JSON.stringify(RIGHT)}\n{"id":\n`)
    const { code, err } = await world.run([...args, ...SHOP])
    expect(err).toContain(said)
    expect(code).toBe(2)
  })
})
