import { readFile, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { sqlLoop, startModelServer, type Rule } from '../support/model-server.ts'
import { createCliWorld, filesUnder, modelEnv } from './support.ts'
import { STRATEGY_NAMES } from '../../src/cli/shared-options.ts'
import { openForAll } from '../support/opened.ts'

const world = openForAll(() => createCliWorld())

const SHOP = ['--db', 'sqlite:shop.sqlite']

interface Json {
  readonly answer: string
  readonly data?: { columns: string[]; rows: Record<string, unknown>[]; rowCount: number }
  readonly agentResults: Record<string, unknown>[]
  readonly planner: { chosenAgents: string[] }
  readonly metadata: { runId: string; status: string; notes: string[] }
  readonly trace?: { eventType: string; timestamp: string }[]
  readonly error?: { type: string; message: string }
}

const parse = (text: string): Json => JSON.parse(text) as Json

describe('an answer', () => {
  it('prints answer, table and SQL on standard output, and the rest on standard error', async () => {
    const { code, out, err } = await world.run(['ask', 'How many customers are there per country?', ...SHOP])
    expect(code).toBe(0)
    expect(out).toMatch(/^Ireland +2$/m)
    expect(out).toMatch(/^Japan +1$/m)
    expect(out).toMatch(/Source: shop\n {2}SELECT/)
    expect(out).not.toContain('Note:')
    expect(err).toContain('planner chose sql')
    expect(err.match(/without a model/gi)).toHaveLength(1)
  })

  it('reads the question from a pipe, with or without "-"', async () => {
    const piped = await world.run(['ask', '--json', ...SHOP], { input: 'How many customers are there?\n' })
    const dashed = await world.run(['ask', '-', '--json', ...SHOP], { input: 'How many orders are there?\n' })
    expect(parse(piped.out).data?.rows).toEqual([{ number_of_customers: 3 }])
    expect(parse(dashed.out).data?.rows).toEqual([{ number_of_orders: 3 }])
  })

  it('comes from the readable databases, and names the others', async () => {
    const whole = await readFile(join(world.folder, 'shop.sqlite'))
    await writeFile(join(world.folder, 'damaged.sqlite'), whole.subarray(0, 5000))
    await writeFile(join(world.folder, 'junk.sqlite'), 'this is no database at all, however long it may be')
    const others = ['sqlite:damaged.sqlite', 'junk=sqlite:junk.sqlite', 'far=postgres://127.0.0.1:1/x']
    const named = others.flatMap((url) => ['--db', url])
    const { code, out, err } = await world.run(['ask', 'How many customers are there?', ...SHOP, ...named])
    expect(code).toBe(0)
    expect(out).toContain('The number of customers is 3.')
    for (const name of ['damaged', 'junk', 'far']) expect(err).toContain(`The database “${name}” was left out: `)
  })

  it('uses one database when configuration and command line name the same file', async () => {
    await writeFile(
      join(world.folder, 'same.yaml'),
      'databases:\n  - { name: shop, url: "sqlite:shop.sqlite", tables: [customers] }\n',
    )
    await symlink(join(world.folder, 'shop.sqlite'), join(world.folder, 'linked.sqlite'))
    const args = ['ask', 'How many customers are there?', '--json', '--config', 'same.yaml']
    const ask = (...dbs: string[]) => world.run([...args, ...dbs.flatMap((db) => ['--db', db])])
    for (const dbs of [['sqlite:shop.sqlite'], ['./shop.sqlite', 'shop=sqlite:linked.sqlite']]) {
      const { code, out } = await ask(...dbs)
      expect([code, parse(out).data?.rows]).toEqual([0, [{ number_of_customers: 3 }]])
    }
    const { out } = await world.run(['db', 'tables', '--config', 'same.yaml'])
    expect(out).toContain('customers')
    expect(out, 'only the tables of the configuration').not.toContain('orders')
    const other = await ask('shop=sqlite:other.sqlite')
    expect(parse(other.out).error?.message).toContain('The name "shop" is taken')
  })

  it('omits tables with --no-data, also with --data for the folder', async () => {
    const folder = join(world.folder, 'other-data')
    const args = ['ask', 'How many customers are there?', ...SHOP, '--json', '--no-data', '--data', folder]
    const { out } = await world.run(args)
    expect(parse(out)).not.toHaveProperty('data')
    expect(parse(out).agentResults[0]).not.toHaveProperty('tabular')
    expect(await filesUnder(folder)).toContain('tutti.db')
  })
})

describe('--json', () => {
  it('prints one object and nothing else; two processes on one data folder wait for each other', async () => {
    const data = join(world.folder, 'shared')
    // In their own processes, so that any other output is visible.
    const [ended, other] = await Promise.all(
      [['How many customers are there?', '--trace'], ['How many orders are there?']].map(
        (question) => world.start(['ask', ...question, ...SHOP, '--data', data, '--json']).done,
      ),
    )
    expect(other!.code).toBe(0)
    const { runs } = await world.json(['runs', 'list', '--data', data])
    expect(runs).toMatchObject(Array.from({ length: 2 }, () => ({ status: 'finished' })))
    const { code, out, err } = ended!
    const json = parse(out)
    // No progress and no colours without a terminal.
    // oxlint-disable-next-line no-control-regex
    expect(err).not.toMatch(/[\u001B\r]/)
    expect(code).toBe(0)
    expect(json.answer).toContain('3')
    expect(json.data).toEqual({ columns: ['number_of_customers'], rows: [{ number_of_customers: 3 }], rowCount: 1 })
    expect(json.planner.chosenAgents).toEqual(['sql'])
    expect(json.agentResults).toHaveLength(1)
    expect(json.agentResults[0]).toMatchObject({
      agent: 'sql',
      status: 'succeeded',
      tabular: { rowCount: 1 },
      latencyMs: expect.any(Number),
      sources: [{ kind: 'database', name: 'shop', detail: expect.stringContaining('SELECT') }],
    })
    expect(json.metadata.status).toBe('finished')
    expect(json.trace!.map((event) => event.timestamp)).toEqual(json.trace!.map((event) => event.timestamp).sort())
  })

  it('prints an error as an object, too', async () => {
    const { code, out, err } = await world.run(['ask', '', '--json'])
    expect(code).toBe(2)
    expect(parse(out).error).toMatchObject({ type: 'InvalidRequest', message: expect.stringContaining('empty') })
    expect(err.trimEnd().split('\n')).toHaveLength(1)
  })
})

describe('with a model', () => {
  const SQL = 'SELECT country, count(*) AS customers FROM customers GROUP BY country ORDER BY 2 DESC'
  const rules: readonly Rule[] = [
    {
      when: 'You choose which specialist agents',
      reply: { json: { agents: ['sql'], rationale: 'Rows.', confidence: 1 } },
    },
    ...sqlLoop(SQL, 'Ireland has the \u001B[31mmost\u001B[0m customers.'),
    { reply: { status: 400 } },
  ]
  const models = openForAll(() => startModelServer(rules))

  it('prints its answer without control codes, its calls and its tokens', async () => {
    const args = ['ask', 'Where do customers live?', ...SHOP, '--no-memory']
    const { code, out, err } = await world.run(args, { env: modelEnv(models) })
    expect(code).toBe(0)
    expect(out).toMatch(/^Ireland has the most customers\.\n\ncountry +customers\n/)
    expect(out).toContain(`Source: shop\n  ${SQL}`)
    expect(err).toMatch(/assistant asked compatible:scripted: turn 1, calls query, \d/)
    expect(err).toMatch(/2 model calls, 240 tokens/)
    expect(err).not.toContain('Note:')
  })

  it('asks the model that the command names', async () => {
    const args = ['ask', 'Where do customers live?', ...SHOP, '--model', 'sql=compatible:other']
    const { err } = await world.run([...args, '--strategy', 'pipeline'], { env: modelEnv(models) })
    expect(err).toContain('sql asked compatible:other')
    expect(err).toContain('planner asked compatible:scripted')
  })
})

describe('secrets in the context', () => {
  it('are masked in the trace, in --json and in runs show', async () => {
    const secret = ['--context', 'api_token=hunter2hunter2', '--context', 'region=north']
    const asked = await world.run(['ask', 'How many customers are there?', ...SHOP, ...secret, '--json', '--trace'])
    const { runId } = parse(asked.out).metadata
    const shown = await world.run(['runs', 'show', runId, '--trace'])
    const json = await world.run(['runs', 'show', runId, '--json', '--trace'])
    for (const { out, err } of [asked, shown, json]) expect(out + err).not.toContain('hunter2')
    expect(shown.out).toContain('api_token=***, region=north')
    expect(JSON.parse(json.out)).toMatchObject({ request: { context: { api_token: '***', region: 'north' } } })
  })
})

describe('bad input', () => {
  const cases: readonly (readonly [string, readonly string[], number, RegExp])[] = [
    ['an empty question', ['ask', '   '], 2, /question is empty/],
    [
      'an unknown agent',
      ['ask', 'x', '--prefer', 'sql,nobody', ...SHOP],
      2,
      /nobody.*Known agents: api, architect, code, computation, mail, rag, sql, web/,
    ],
    [
      'an unknown strategy',
      ['ask', 'x', '--strategy', 'best'],
      2,
      new RegExp(`"best" is not available. Available: ${['auto', ...STRATEGY_NAMES].join(', ')}\\.`),
    ],
    ['an unknown option', ['ask', 'x', '--contxt', 'a=b'], 2, /Did you mean --context/],
    ['an unknown command', ['aks', 'x'], 2, /Did you mean ask/],
    ['context without a value', ['ask', 'x', '--context', 'a'], 2, /key=value/],
    ['an empty database URL', ['ask', 'x', '--db', ''], 2, /sqlite:shop.db/],
    ['a database of an unknown kind', ['ask', 'x', '--db', 'oracle:x'], 3, /"oracle:" is not understood/],
    ['a database that is missing', ['ask', 'x', '--db', 'sqlite:gone.sqlite'], 2, /gone.sqlite: there is no such file/],
    ['a file that is no database', ['ask', 'x', '--db', 'sqlite:bad.yaml'], 3, /is not an SQLite database/],
    [
      'a database that nobody serves',
      ['ask', 'x', '--db', 'postgres://u:pw@127.0.0.1:1/x'],
      3,
      /nothing listens there/,
    ],
    ['a model of no provider', ['ask', 'x', '--model', 'nope:model', ...SHOP], 3, /"nope" is not configured/],
    ['a missing configuration', ['ask', 'x', '--config', 'gone.yaml'], 3, /gone.yaml cannot be read: there is no such/],
    ['a wrong configuration', ['ask', 'x', '--config', 'bad.yaml'], 3, /bad.yaml is not valid.*databses/],
    ['a query that is empty', ['db', 'check', '', ...SHOP], 2, /query is empty/],
    ['no database to check', ['db', 'check', 'SELECT 1'], 3, /No database is named/],
  ]

  beforeAll(async () => {
    await writeFile(join(world.folder, 'bad.yaml'), 'databses: []\n')
  })

  it('prints one line, ends with its exit code, and leaves no run', async () => {
    for (const [name, args, expected, message] of cases) {
      const { code, out, err } = await world.run(args)
      expect(err, name).toMatch(message)
      expect(err.trimEnd().split('\n'), name).toHaveLength(1)
      expect(err, name).not.toContain('pw')
      expect([out, code], name).toEqual(['', expected])
    }
    const runs = await world.run(['runs', 'list', '--limit', '100', '--json'])
    expect(runs.out).not.toContain('"question": "x"')
  })

  it.skipIf(process.platform !== 'linux')('a data folder in a read-only place: one line (needs /sys)', async () => {
    const told = await world.run(['ask', 'How many customers?', ...SHOP, '--data', '/sys/tutti'])
    expect(told).toMatchObject({ code: 3, err: expect.stringMatching(/^tutti: .*\/sys\/tutti.*\n$/) })
  })

  it('a data folder that is a file: the file is unchanged', async () => {
    const place = join(world.folder, 'a-file')
    await writeFile(place, 'mine')
    const told = await world.run(['ask', 'How many customers?', ...SHOP, '--data', place])
    expect(told).toMatchObject({ code: 3, err: expect.stringMatching(/^tutti: .*a-file.*\n$/) })
    expect(await readFile(place, 'utf8')).toBe('mine')
  })
})

describe('a closed pipe', () => {
  it('ends the command without a stack trace', async () => {
    const running = world.start(['ask', 'How many customers are there?', ...SHOP])
    running.child.stdout!.destroy()
    const { code, err } = await running.done
    expect(code).toBe(141)
    expect(err).not.toContain('EPIPE')
  })
})
