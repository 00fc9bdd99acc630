import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { openForAll } from '../support/opened.ts'
import { serveHere } from '../support/served.ts'

// With a database, the server makes no demo.
const server = openForAll(() => serveHere(undefined, ['--db', 'sqlite:shop.sqlite']))
const page = await readFile(join(import.meta.dirname, '../../docs/schedules.md'), 'utf8')

/** The expected output of each command of the page, in order. */
const SAID: readonly RegExp[] = [
  /"cron":"0 8 \* \* MON-FRI".*12 times 12/,
  /"at":"2040-01-31T08:00:00.000Z".*15% of 240/,
  /15% of 240[\s\S]*12 times 12/,
  /12 times 12.*"nextAt".*"times":\[\]/,
  /"isPaused":true/,
  /^$/,
  /"hook":"bearer".*"secrets":\{"hook":"tuttihook_/,
  /^\{"runId":"[0-9a-f-]{36}"\}$/,
]

it('every command of the page works as described, in order', async () => {
  const commands = [...page.matchAll(/^```sh\n([\s\S]*?)\n```$/gm)].flatMap(([, block]) => block!.split('\n'))
  expect(commands).toHaveLength(SAID.length)
  let id = ''
  let hook: { schedule?: { scheduleId: string }; secrets?: { hook: string } } = {}
  for (const [at, command] of commands.entries()) {
    const words = [...command.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(
      ([, one, other, word]) => one ?? other ?? word!,
    )
    const args = words.map((word) =>
      word
        .replace('http://127.0.0.1:8080', server.url)
        .replace(/\bID\b/, id)
        .replace('HOOK', hook.schedule?.scheduleId ?? '')
        .replace('SECRET', hook.secrets?.hook ?? ''),
    )
    const { stdout } = await promisify(execFile)('curl', args.slice(1))
    expect(stdout, command).toMatch(SAID[at]!)
    const { schedule, secrets } = stdout.startsWith('{') ? (JSON.parse(stdout) as typeof hook) : {}
    if (at === 0) id = schedule!.scheduleId
    if (secrets?.hook !== undefined) hook = { schedule: schedule!, secrets }
  }
  await expect
    .poll(async () => (await fetch(`${server.url}/conversations`)).text(), { timeout: 60_000 })
    .toMatch(/6 times 7[^{}]*"isNew":true/)
}, 300_000)
