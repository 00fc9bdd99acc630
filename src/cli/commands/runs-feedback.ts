import { Option } from 'commander'
import type { App } from '../../app/user-app.ts'
import { writePair, verifiedPair } from '../../app/verified-pairs.ts'
import { TuttiError } from '../../domain/errors.ts'
import { assertRunAnswered, THUMBS, type Thumb } from '../../domain/feedback.ts'
import { omitUndefined } from '../../shared/json.ts'
import type { Cli } from '../cli.ts'
import type { JsonOption, Program } from '../command.ts'
import { printJson } from '../failure.ts'
import { findRun } from '../find-run.ts'
import { withApp } from '../open-app.ts'
import { parseWholeNumber, type NamedDatabase } from '../option-values.ts'
import { printItems } from '../render/table.ts'
import { safeLine, safeText } from '../render/text.ts'
import { age, shortId } from '../render/units.ts'
import { argument, option, RUN_ID, JSON_OPTION, DATABASE_OPTION } from '../shared-options.ts'

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
export function addRunsFeedback({ root, cli, command }: Program): void {
  command(
    root,
    'feedback',
    'rate an answer, or list all ratings',
    argument('[run]', RUN_ID),
    new Option('--up', 'it was right').conflicts('down'),
    option('--down', 'it was wrong'),
    option('--reason <text>', 'why'),
    option('--correction <text>', 'the right answer'),
    new Option('--thumb <thumb>', 'only these ratings in the list').choices([...THUMBS]),
    option('--limit <n>', 'maximum number in the list', parseWholeNumber).default(50),
    JSON_OPTION,
  ).withApp((app, id: string | undefined, options: GiveOptions & ListOptions) =>
    id === undefined ? list(cli, app, options) : give(cli, app, id, options),
  )
  command(
    root,
    'verify',
    'save the question and query of a run as a verified example of its database',
    argument('<run>', RUN_ID),
    DATABASE_OPTION,
    JSON_OPTION,
  ).run((id: string, { db = [], json }: JsonOption & { readonly db?: readonly NamedDatabase[] }) =>
    withApp(cli, { databases: db }, async ({ runs, response, databases }) => {
      const { runId } = await findRun(runs, cli, id)
      const pair = verifiedPair((await runs.state(runId)).request, await response(runId))
      const file = await writePair(databases, pair)
      if (json === true) return printJson(cli, { ...pair, file })
      cli.out.line(safeText(`${pair.question}\n${pair.sql}`))
      cli.err.line(`Saved in ${file}.`)
    }),
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
  if (thumb === undefined) throw new TuttiError('InvalidRequest', 'Use --up or --down.')
  const entry = { runId, owner, thumb, ...omitUndefined({ reason, correction }), givenAt: cli.clock.now() }
  await feedback.give(entry)
  if (json === true) return printJson(cli, { feedback: dated(entry) })
  cli.err.line(
    thumb === 'up'
      ? `Rating saved. To answer the same question by the same query from now on: ${cli.self} runs verify ${shortId(runId)}`
      : `Rating saved. To make a test case of it: ${cli.self} eval add ${shortId(runId)} --to cases.jsonl`,
  )
}

async function list(cli: Cli, { feedback, as }: App, { thumb, limit, json }: ListOptions): Promise<void> {
  const found = await feedback.list({ thumb, limit })
  const rows = await Promise.all(
    found.map(async (one) => ({ ...one, question: (await as(one.owner).runs.run(one.runId))?.question ?? '' })),
  )
  printItems(cli, {
    json,
    object: { feedback: rows.map(dated) },
    empty: 'There are no ratings yet.',
    rows: rows.map(({ runId, thumb: way, givenAt, question, reason, correction }) => ({
      run: shortId(runId),
      thumb: way,
      when: age(cli.clock.now() - givenAt),
      question: safeLine(question),
      said: safeLine([reason, correction].filter((text) => text !== undefined).join(' → ')),
    })),
  })
}

function dated<T extends { readonly givenAt: number }>(entry: T) {
  return { ...entry, givenAt: new Date(entry.givenAt).toISOString() }
}
