// Soak test: runs every command of a page.
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { DEVIATING_INVOICES } from '../../scripts/demo/freight.ts'
import { createCliWorld, type CliWorld, type Outcome } from '../cli/support.ts'

let world: CliWorld
let page: string
beforeAll(async () => {
  world = await createCliWorld()
  page = await readFile(join(import.meta.dirname, '../../docs/teams.md'), 'utf8')
})
afterAll(() => world.close())

const NAME = 'freight_check'
const DB = 'sqlite:demo/brindlemoor-freight.sqlite'

/** The expected output of each command of the page, in order. */
const SAID: readonly (readonly [string, RegExp])[] = [
  ['demo', /ask "How many customers are there\?"/],
  ['import', /^The team “freight_check” \(version 1\) is ready/],
  ['show', /^freight_check {2}version 1: Finds freight[\s\S]*\nversion 1: ready, in use\. /],
  ['ask', /\bFI-103\b/],
  ['run', /\bFI-103\b/],
  ['list', /^freight_check {2}version 1: Finds freight invoices that deviate from their contracts\.\n$/],
  ['export', /^Wrote team\.json\.\n$/],
  ['import', /^The team “freight_check” \(version 2\) is ready/],
  ['rollback', /^freight_check now uses version 1\.\n$/],
  ['rollback', /^freight_check now uses version 2\.\n$/],
  ['share', /^All users can now use freight_check in this version\. /],
  ['share', /^freight_check is no longer shared\.\n$/],
]

/** Runs a command and approves its requests. */
async function approved(args: readonly string[]): Promise<Outcome> {
  const running = world.start(args)
  const asked = running.said(/tutti approvals approve (\S+)/).catch(() => '')
  const id = /tutti approvals approve (\S+)/.exec(await Promise.race([asked, running.done.then(() => '')]))?.[1]
  if (id !== undefined) await world.run(['approvals', 'approve', id, '--db', DB])
  return running.done
}

/** The invoices that an answer lists. */
function reportedIn(out: string): string {
  return [...new Set(out.match(/FI-\d+/g))].toSorted().join()
}

it('every command of the page works as described, in order', async () => {
  await writeFile(join(world.folder, 'freight.json'), /^```json\n([\s\S]*?)\n```$/m.exec(page)![1]!)
  const commands = [...page.matchAll(/^```sh\n([\s\S]*?)\n```$/gm)].flatMap(([, block]) => block!.split('\n'))
  expect(commands.map((command) => /^tutti (?:teams )?(\w+)/.exec(command)?.[1])).toEqual(SAID.map(([name]) => name))
  const reported: string[] = []
  for (const [at, command] of commands.entries()) {
    const words = [...command.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, word]) => quoted ?? word!)
    const { code, out, err } = await approved(words.slice(1))
    expect(out, `${command}\n${err}`).toMatch(SAID[at]![1])
    expect(code, command).toBe(0)
    reported.push(reportedIn(out))
  }
  // The outputs of “ask” and “run”.
  expect(reported.slice(3, 5)).toEqual([DEVIATING_INVOICES.join(), DEVIATING_INVOICES.join()])
  const diagram = /^```mermaid\n([\s\S]*?)\n```$/m.exec(page)![1]!
  expect((await world.run(['teams', 'show', NAME])).out).toContain(diagram)
}, 300_000)

it('lists the shared version when it differs from the one in use', async () => {
  await world.run(['teams', 'share', NAME])
  const listed = async (): Promise<string> => (await world.run(['teams', 'list'])).out
  expect(await listed()).toContain(`${NAME}  version 2, shared: `)
  await world.run(['teams', 'rollback', NAME, '1'])
  expect((await world.run(['teams', 'rollback', NAME])).err).toContain(
    `There is no earlier version of "${NAME}" that can be used; version 1 is in use.`,
  )
  expect(await listed()).toContain(`${NAME}  version 1, shared is version 2: `)
  await world.run(['teams', 'share', NAME, '--off'])
  expect(await listed()).toContain(`${NAME}  version 1: `)
}, 120_000)

it('reports errors in one sentence', async () => {
  await writeFile(join(world.folder, 'bad.json'), '{"name": "x"}')
  await writeFile(join(world.folder, 'broken.json'), '{\n  "name": "x",\n  {oops')
  for (const [args, said] of [
    [['teams', 'show', 'nobody'], 'There is no team "nobody". There are: '],
    [['teams', 'rollback', NAME, '7'], `There is no such version of "${NAME}" that can be used. There are: `],
    [['teams', 'import', 'bad.json'], 'This is no team: '],
    [['teams', 'import', 'broken.json'], 'broken.json is no JSON, line 3: '],
    [['teams', 'import', 'none.json'], 'none.json cannot be read: there is no such file.'],
  ] as const) {
    const { code, err } = await world.run(args)
    expect([code, err], args.join(' ')).toEqual([2, expect.stringContaining(said) as string])
  }
  const { code, out } = await approved(['teams', 'edit', NAME, 'leave out invoices of 2024', '--db', DB])
  expect([code, out]).toEqual([
    1,
    expect.stringContaining('Designing a team in words needs a language model') as string,
  ])
}, 120_000)
