import { Option } from 'commander'
import type { App } from '../../app/user-app.ts'
import { writePair, verifiedPair } from '../../app/verified-pairs.ts'
import { TuttiError } from '../../domain/errors.ts'
import { assertRunAnswered, THUMBS, type Thumb } from '../../domain/store.ts'
import { omitUndefined } from '../../shared/json.ts'
import type { Cli } from '../cli.ts'
import type { JsonOption, Program } from '../command.ts'
import { printJson } from '../failure.ts'
import { findRun } from '../find-run.ts'
import { withApp } from '../open-app.ts'
import { parseWholeNumber, type NamedDatabase } from '../option-values.ts'
import { printList } from '../render/table.ts'
import { safeLine, safeText } from '../render/text.ts'
import { age, shortId } from '../render/units.ts'
import { databaseOption, jsonOption, RUN_ID } from '../shared-options.ts'

interface GiveOptions extends JsonOption {
  readonly up?: true
  readonly down?: true
  readonly reason?: string
  readonly correction?: string
}

interface ListOptions extends JsonOption {
  readonly thumb?: Thumb
  readonly limit: number
}

/** `tutti runs feedback`: without a run, what everybody said. */
export function addRunsFeedback({ root, cli, run, withApp: inApp }: Program): void {
  root
    .command('feedback')
    .description('rate an answer, or list all ratings')
    .argument('[run]', RUN_ID)
    .addOption(new Option('--up', 'it was right').conflicts('down'))
    .option('--down', 'it was wrong')
    .option('--reason <text>', 'why')
    .option('--correction <text>', 'the right answer')
    .addOption(new Option('--thumb <thumb>', 'only these ratings in the list').choices([...THUMBS]))
    .option('--limit <n>', 'maximum number in the list', parseWholeNumber, 50)
    .addOption(jsonOption())
    .action(
      inApp((app, id: string | undefined, options: GiveOptions & ListOptions) =>
        id === undefined ? list(cli, app, options) : give(cli, app, id, options),
      ),
    )
  root
    .command('verify')
    .description('save the question and query of a run as a verified example of its database')
    .argument('<run>', RUN_ID)
    .addOption(databaseOption())
    .addOption(jsonOption())
    .action(
      run((id: string, { db = [], json }: JsonOption & { readonly db?: readonly NamedDatabase[] }) =>
        withApp(cli, { databases: db }, async ({ runs, response, databases }) => {
          const { runId } = await findRun(runs, cli, id)
          const pair = verifiedPair((await runs.state(runId)).request, await response(runId))
          const file = await writePair(databases, pair)
          if (json === true) return printJson(cli, { ...pair, file })
          cli.out.line(safeText(`${pair.question}\n${pair.sql}`))
          cli.err.line(`Kept in ${file}.`)
        }),
      ),
    )
}

async function give(
  cli: Cli,
  { runs, feedback }: App,
  id: string,
  { up, down, reason, correction, json }: GiveOptions,
): Promise<void> {
  const { runId, owner } = await findRun(runs, cli, id)
  assertRunAnswered(await runs.state(runId))
  const known = await feedback.get(owner, runId)
  const thumb = up === true ? 'up' : down === true || correction !== undefined ? 'down' : known?.thumb
  if (thumb === undefined) throw new TuttiError('InvalidRequest', 'Say --up or --down.')
  const entry = { runId, owner, thumb, ...omitUndefined({ reason, correction }), givenAt: cli.clock.now() }
  await feedback.give(entry)
  if (json === true) return printJson(cli, { feedback: dated(entry) })
  cli.err.line(
    thumb === 'up'
      ? `Kept. To answer the same question by the same query from now on: ${cli.self} runs verify ${shortId(runId)}`
      : `Kept. To make a case of it: ${cli.self} eval add ${shortId(runId)} --to cases.jsonl`,
  )
}

async function list(cli: Cli, { feedback, as }: App, { thumb, limit, json }: ListOptions): Promise<void> {
  const found = await feedback.list({ thumb, limit })
  const rows = await Promise.all(
    found.map(async (one) => ({ ...one, question: (await as(one.owner).runs.run(one.runId))?.question ?? '' })),
  )
  if (json === true) return printJson(cli, { feedback: rows.map(dated) })
  if (rows.length === 0) return cli.err.line('Nobody has said anything of an answer yet.')
  printList(
    cli.out,
    ['run', 'thumb', 'when', 'question', 'said'],
    rows.map(({ runId, thumb: way, givenAt, question, reason, correction }) => ({
      run: shortId(runId),
      thumb: way,
      when: age(cli.clock.now() - givenAt),
      question: safeLine(question),
      said: safeLine([reason, correction].filter((text) => text !== undefined).join(' → ')),
    })),
  )
}

function dated<T extends { readonly givenAt: number }>(entry: T) {
  return { ...entry, givenAt: new Date(entry.givenAt).toISOString() }
}
