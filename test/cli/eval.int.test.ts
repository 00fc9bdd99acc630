import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { sqlLoop, startModelServer } from '../support/model-server.ts'
import { createCliWorld } from './support.ts'
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

  it('compares with an earlier evaluation and writes a self-contained report', async () => {
    const question = 'How many <b>orders</b> are there?'
    const file = await write('before.jsonl', RIGHT, { ...WRONG, question }, DECLINED)
    const before = await world.run(['eval', file, ...SHOP, '--json'])
    await writeFile(join(world.folder, 'before.json'), before.out)
    await write('before.jsonl', { ...RIGHT, expect: { number: 5 } }, { ...WRONG, question }, REFUSED)
    const now = await world.run(['eval', file, ...SHOP, '--compare', 'before.json', '--report', 'report.html'])
    expect(now).toMatchObject({ code: 0 })
    expect(now.out).toMatch(/count +right +wrong/)
    expect(now.out).toMatch(/refused +right/)
    expect(now.out).not.toMatch(/miscounted +wrong +wrong/)
    const report = await readFile(join(world.folder, 'report.html'), 'utf8')
    expect(report).toContain('&lt;b&gt;orders')
    expect(report).not.toMatch(/<b>orders|<script|src=|href=|url\(|@import/)
    expect(report).toContain(`default-src 'none'`)
    expect(report.indexOf('miscounted')).toBeLessThan(report.lastIndexOf('refused'))
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
    const env = { TUTTI_MODEL_URL: server.url, TUTTI_MODEL: 'compatible:scripted' }
    const { out } = await world.run(['eval', file, ...SHOP, '--json'], { env })
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
    const env = { TUTTI_MODEL_URL: server.url, TUTTI_MODEL: 'compatible:scripted' }
    const { out } = await world.run(['eval', file, ...SHOP, '--json'], { env })
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

describe('tutti eval add', () => {
  it('creates a case from a run, without its secrets, for eval', async () => {
    const password = 'kl9-tresor-55'
    const context = ['--context', `api_password=${password}`, '--context', 'current_date=2026-03-01']
    await world.run(['ask', `How many spaceships have the password ${password}?`, ...SHOP, ...context])
    const { out } = await world.run(['runs', 'list', '--json', '--limit', '1'])
    const { runId } = (JSON.parse(out) as { runs: { runId: string }[] }).runs[0]!
    expect(await world.run(['eval', 'add', runId, '--to', 'made.jsonl'])).toMatchObject({
      code: 2,
      err: expect.stringContaining('Say what a right answer holds'),
    })
    expect(await world.run(['eval', 'add', runId.slice(0, 8), '--to', 'made.jsonl', '--refusal'])).toMatchObject({
      code: 0,
    })
    const made = await readFile(join(world.folder, 'made.jsonl'), 'utf8')
    expect(made).not.toContain(password)
    expect(JSON.parse(made)).toMatchObject({
      question: 'How many spaceships have the password ***?',
      expect: { refusal: true },
      db: [expect.stringMatching(/^sqlite:.*shop\.sqlite$/)],
      context: { current_date: '2026-03-01', api_password: '***' },
    })
    expect(verdictsOf((await world.run(['eval', 'made.jsonl', '--json'])).out)).toEqual([`${runId.slice(0, 8)} right`])
    const twice = await world.run(['eval', 'add', runId, '--to', 'made.jsonl', '--number', '3'])
    expect(twice.err).toContain('is that of line 1')
  })

  it('includes the earlier questions of its conversation', async () => {
    await world.run(['ask', 'How many customers are there?', ...SHOP])
    await world.run(['ask', 'And how many orders?', ...SHOP, '--conversation', 'last'])
    const { out } = await world.run(['runs', 'list', '--json', '--limit', '1'])
    const { runId } = (JSON.parse(out) as { runs: { runId: string }[] }).runs[0]!
    await world.run(['eval', 'add', runId, '--to', 'talk.jsonl', '--number', '3'])
    const { turns } = JSON.parse(await readFile(join(world.folder, 'talk.jsonl'), 'utf8')) as { turns: object[] }
    expect(turns).toEqual([
      { question: 'How many customers are there?' },
      { question: 'And how many orders?', expect: { number: [3] } },
    ])
  })
})
