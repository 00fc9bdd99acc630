import { isDeepStrictEqual } from 'node:util'
import { TuttiError } from '../../domain/errors.ts'
import type { Plan } from '../../domain/plan.ts'
import { plannedQuestion } from '../../engine/run/plan-question.ts'
import type { Cli } from '../cli.ts'
import type { Program } from '../command.ts'
import type { ExitCode } from '../exit-codes.ts'
import { printJson } from '../failure.ts'
import { findRun } from '../find-run.ts'
import { followRun } from '../follow.ts'
import { withApp } from '../open-app.ts'
import type { OutcomeOptions } from '../option-values.ts'
import { planText } from '../render/plan.ts'
import { shortId } from '../render/units.ts'
import { isFinalRecord, withRun } from '../with-run.ts'
import { argument, option, RUN_ID, JSON_OPTION, TRACE_OPTION, SOURCE_OPTIONS } from '../shared-options.ts'
import { readJsonInput } from '../text-files.ts'

interface PlanOptions extends OutcomeOptions {
  readonly edit?: string
}

export function addRunsPlan({ root, cli, command }: Program): void {
  command(
    root,
    'plan',
    'show the plan of a run, or change it while it runs',
    ...SOURCE_OPTIONS,
    argument('<id>', RUN_ID),
    option('--edit <file>', 'replace the plan with a JSON file in the form of "--json", and continue the run'),
    TRACE_OPTION,
    JSON_OPTION,
  ).run((id: string, options: PlanOptions) =>
    options.edit === undefined ? showPlan(cli, id, options) : editPlan(cli, id, options.edit, options),
  )
}

/** `tutti runs plan`: prints the plan; its JSON is the input of `--edit`. */
function showPlan(cli: Cli, id: string, { json }: PlanOptions): Promise<void> {
  return withApp(cli, {}, async (app) => {
    const { runId } = await findRun(app.runs, cli, id)
    const planned = plannedQuestion(await app.runs.state(runId), false)
    if (json === true) printJson(cli, { tasks: planned.tasks })
    else cli.out.line(planText(planned, cli.out.style))
  })
}

/** `tutti runs plan --edit`: finished tasks are kept, changed tasks run again, removed tasks are stopped. */
async function editPlan(cli: Cli, id: string, file: string, options: PlanOptions): Promise<ExitCode> {
  const { json = false, trace = false } = options
  const plan = await readPlanFile(cli, file)
  return withRun(cli, options, {
    find: (app) => findRun(app.runs, cli, id),
    needsSources: (run) => !isFinalRecord(run),
    async work(app, { runId, lastSeq }) {
      const isSame = isDeepStrictEqual(plannedQuestion(await app.runs.state(runId), false).tasks, plan.tasks)
      if (!isSame) await app.runs.replan(runId, plan, 'user')
      cli.err.line(`The plan of run ${shortId(runId)} ${isSame ? 'is unchanged' : 'was changed'}.`)
      return followRun(cli, app, runId, { json, trace, afterSeq: lastSeq })
    },
  })
}

/** Reads a plan. The tasks are validated by the function that sets them. */
async function readPlanFile(cli: Cli, file: string): Promise<Plan> {
  const { tasks } = ((await readJsonInput(cli, file)) ?? {}) as Partial<Plan>
  if (Array.isArray(tasks)) return { tasks }
  throw new TuttiError(
    'InvalidRequest',
    `${file} holds no plan: write {"tasks": [...]}, as "runs plan --json" prints it.`,
  )
}
