import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { DEVIATING_INVOICES } from '../../src/demo/freight.ts'
import { createCliWorld, type CliWorld, type Outcome } from '../cli/support.ts'

let world: CliWorld
let page: string
beforeAll(async () => {
  world = await createCliWorld()
  page = await readFile(join(import.meta.dirname, '../../docs/teams.md'), 'utf8')
})
afterAll(() => world.close())

const NAME = 'invoices_contracts_team'
const DB = 'sqlite:demo/brindlemoor-freight.sqlite'
const REPORT = /^6 of the 20 invoices deviate from the contracts: ([\s\S]*)$/

/** What each command of the page says here, in its order. */
const SAID: readonly (readonly [string, RegExp])[] = [
  ['demo', /ask "How many customers are there\?"/],
  ['build', /^The team “invoices_contracts_team” \(version 1\) is ready/],
  ['show', /^invoices_contracts_team {2}version 1: Checks[\s\S]*\nversion 1: ready, in use\. /],
  ['ask', REPORT],
  ['run', REPORT],
  ['list', /^invoices_contracts_team {2}version 1: Checks invoices against contracts and writes a report\.\n$/],
  ['export', /^Wrote team\.json\.\n$/],
  ['import', /^The team “invoices_contracts_team” \(version 2\) is ready/],
  ['rollback', /^Version 1 of invoices_contracts_team is used from now on\.\n$/],
  ['rollback', /^Version 2 of invoices_contracts_team is used from now on\.\n$/],
  ['share', /^Everybody may use invoices_contracts_team now, as it is; /],
  ['share', /^invoices_contracts_team is yours alone again\.\n$/],
]

/** Runs it, and approves what it asks for. */
async function approved(args: readonly string[]): Promise<Outcome> {
  const running = world.start(args)
  const asked = running.said(/tutti approvals approve (\S+)/).catch(() => '')
  const id = /tutti approvals approve (\S+)/.exec(await Promise.race([asked, running.done.then(() => '')]))?.[1]
  if (id !== undefined) await world.run(['approvals', 'approve', id, '--db', DB])
  return running.done
}

/** The invoices that a report names; undefined of what is no report. */
function reportedIn(out: string): string | undefined {
  const report = REPORT.exec(out)?.[1]
  return report && [...new Set(report.match(/FI-\d+/g))].toSorted().join()
}

it('every command of the page does what the page says, one after the other', async () => {
  const commands = [...page.matchAll(/^```sh\n([\s\S]*?)\n```$/gm)].flatMap(([, block]) => block!.split('\n'))
  expect(commands.map((command) => /^tutti (?:teams )?(\w+)/.exec(command)?.[1])).toEqual(SAID.map(([name]) => name))
  for (const [at, command] of commands.entries()) {
    const words = [...command.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, word]) => quoted ?? word!)
    const { code, out, err } = await approved(words.slice(1))
    expect(out, `${command}\n${err}`).toMatch(SAID[at]![1])
    expect(code, command).toBe(0)
    expect([undefined, DEVIATING_INVOICES.join()], out).toContain(reportedIn(out))
  }
  const diagram = /^```mermaid\n([\s\S]*?)\n```$/m.exec(page)![1]!
  expect((await world.run(['teams', 'show', NAME])).out).toContain(diagram)
}, 300_000)

it('lists which version others use where it is not the one in use', async () => {
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

it('says in one sentence what cannot be done', async () => {
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
  expect([code, out]).toEqual([5, expect.stringContaining('A change in words takes a language model') as string])
}, 120_000)
