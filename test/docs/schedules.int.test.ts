import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createCliWorld, type CliWorld, type Running } from '../cli/support.ts'

let world: CliWorld
let page: string
let server: Running
let url: string
beforeAll(async () => {
  world = await createCliWorld()
  page = await readFile(join(import.meta.dirname, '../../docs/schedules.md'), 'utf8')
  server = world.start(['serve', '--port', '0'])
  const said = await server.saidOut(/is at http:\/\/127\.0\.0\.1:\d+/)
  url = /is at (http:\/\/127\.0\.0\.1:\d+)/.exec(said)![1]!
}, 120_000)
afterAll(async () => {
  server.child.kill()
  await server.done
  await world.close()
})

/** The expected output of each command of the page, in order. */
const SAID: readonly (readonly [string, RegExp])[] = [
  ['add', /^[0-9a-f]{8} {2}0 8 \* \* MON-FRI Europe\/Berlin: What is 12 times 12\?\n$/],
  ['add', /^[0-9a-f]{8} {2}at 2040-01-31T.*: What is 15% of 240\?\n$/],
  ['list', /15% of 240[\s\S]*12 times 12/],
  ['run', /144/],
  ['show', /12 times 12\?\nNext: .*\n[\s\S]*(?:done|running)/],
  ['pause', /is paused/],
  ['resume', /Resumed\. Next: /],
  ['remove', /Removed schedule/],
  ['add', /Its secret, which is shown this once: tuttihook_/],
  ['curl', /^\{"runId":"[0-9a-f-]{36}"\}$/],
]

it('every command of the page works as described, in order', async () => {
  const commands = [...page.matchAll(/^```sh\n([\s\S]*?)\n```$/gm)].flatMap(([, block]) => block!.split('\n'))
  expect(commands.map((command) => /^(?:tutti schedule )?(\w+)/.exec(command)?.[1])).toEqual(SAID.map(([name]) => name))
  let id = ''
  let hook: readonly string[] = []
  for (const [at, command] of commands.entries()) {
    const words = [...command.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(
      ([, one, other, word]) => one ?? other ?? word!,
    )
    const args = words.map((word) =>
      word
        .replace('1a2b3c4d', id)
        .replace('http://127.0.0.1:8080', url)
        .replace('HOOK', hook[0] ?? '')
        .replace('SECRET', hook[1] ?? ''),
    )
    const isCurl = args[0] === 'curl'
    const { out, err } = isCurl
      ? await promisify(execFile)('curl', args.slice(1)).then(({ stdout, stderr }) => ({ out: stdout, err: stderr }))
      : await world.run(args.slice(1))
    expect(out + err, command).toMatch(SAID[at]![1])
    if (at === 0) id = out.slice(0, 8)
    const [, called, secret] = /\/hooks\/(\S+) [\s\S]*once: (\S+)/.exec(out) ?? []
    if (called !== undefined) hook = [called, secret!]
  }
  const asked = JSON.parse((await world.run(['schedule', 'list', '--json'])).out) as { schedules: unknown[] }
  expect(asked.schedules).toMatchObject([{ hook: 'bearer' }, { at: expect.stringMatching(/^2040-01-3/) }])
  await expect
    .poll(async () => (await world.run(['conversations', 'list', '--json'])).out, { timeout: 60_000, interval: 500 })
    .toMatch(/6 times 7[\s\S]*newAt/)
}, 300_000)

it('reports errors in one sentence', async () => {
  for (const [args, said] of [
    [['add', 'How many?'], 'Use exactly one of --cron (with --zone), --at and --hook.'],
    [
      ['add', 'How many?', '--cron', '0 8 * * *', '--hook'],
      'Use exactly one of --cron (with --zone), --at and --hook.',
    ],
    [['add', 'How many?', '--cron', '8 o’clock'], '"8 o’clock" is no cron line: '],
    [['add', 'How many?', '--at', 'tomorrow'], '"tomorrow" is not a time. '],
    [['add', 'How many?', '--at', '2020-01-01T08:00'], 'That time is in the past'],
    [['add', 'How many?', '--hook', '--webhook', 'http://10.0.0.1/x'], 'This webhook cannot be reached: '],
    [['show', 'nothing'], 'There is no schedule "nothing".'],
  ] as const) {
    const { code, err } = await world.run(['schedule', ...args])
    expect([code, err], args.join(' ')).toEqual([2, expect.stringContaining(said) as string])
  }
}, 120_000)
