import { writePair, verifiedPair } from '../../app/verified-pairs.ts'
import type { JsonOption, Program } from '../command.ts'
import { printJson } from '../failure.ts'
import { findRun } from '../find-run.ts'
import { withApp } from '../open-app.ts'
import type { NamedDatabase } from '../option-values.ts'
import { safeText } from '../render/text.ts'
import { argument, RUN_ID, JSON_OPTION, DATABASE_OPTION } from '../shared-options.ts'

export function addRunsVerify({ root, cli, command }: Program): void {
  command(
    root,
    'verify',
    'save the question and query of a run as a verified example of its database',
    argument('<run>', RUN_ID),
    DATABASE_OPTION,
    JSON_OPTION,
  ).run((id: string, { db = [], json }: JsonOption & { readonly db?: readonly NamedDatabase[] }) =>
    withApp(cli, { databases: db }, async ({ runs, response, databases }) => {
      const { runId } = await findRun(runs, id)
      const pair = verifiedPair((await runs.state(runId)).request, await response(runId))
      const file = await writePair(databases, pair)
      if (json === true) return printJson(cli, { ...pair, file })
      cli.out.line(safeText(`${pair.question}\n${pair.sql}`))
      cli.err.line(`Saved in ${file}.`)
    }),
  )
}
