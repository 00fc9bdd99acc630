import type { RunRecord } from '../../core/store.ts'
import type { Cli } from '../cli.ts'
import type { Program } from '../command.ts'
import { EXIT } from '../exit-codes.ts'
import { printJson } from '../failure.ts'
import { withApp } from '../open-app.ts'
import { parseWholeNumber } from '../option-values.ts'
import { printList } from '../render/list.ts'
import { age, shortId } from '../render/units.ts'
import { jsonOption } from '../shared-options.ts'

/** `tutti runs list`: newest first. */
export function addRunsList({ root, cli, globals, run }: Program): void {
  root
    .command('list')
    .description('list runs, newest first')
    .option('--limit <n>', 'how many', parseWholeNumber, 20)
    .addOption(jsonOption())
    .action(
      run(({ limit, json }: { readonly limit: number; readonly json?: boolean }) =>
        withApp(cli, globals(), {}, async (app) => {
          const runs = await app.runs.runs({ limit })
          if (json === true) printJson(cli, { runs: runs.map(summaryOf) })
          else if (runs.length === 0) cli.err.line(`There are no runs yet. Start one with: ${cli.self} ask "…"`)
          else print(cli, runs)
          return EXIT.ok
        }),
      ),
    )
}

/** A run as one object of a list; times are ISO 8601. */
export function summaryOf({ runId, status, strategy, question, parentId, createdAt, updatedAt }: RunRecord) {
  return {
    runId,
    status,
    strategy,
    question,
    ...(parentId === undefined ? {} : { parentId }),
    createdAt: new Date(createdAt).toISOString(),
    updatedAt: new Date(updatedAt).toISOString(),
  }
}

function print(cli: Cli, runs: readonly RunRecord[]): void {
  const now = cli.clock.now()
  const rows = runs.map((run) => ({
    id: shortId(run.runId),
    status: statusText(run, now),
    age: age(now - run.createdAt),
    question: run.question,
  }))
  printList(cli.out, ['id', 'status', 'age', 'question'], rows)
}

/** A run that says "running" while nobody holds it was cut off. */
export function statusText({ status, worker, leaseUntil = 0 }: RunRecord, now: number): string {
  return status === 'running' && (worker === undefined || leaseUntil <= now) ? 'interrupted' : status
}
