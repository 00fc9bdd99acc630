import type { PlannedQuestion } from '../../engine/run/plan-question.ts'
import type { Cli } from '../cli.ts'
import type { Program } from '../command.ts'
import { printJson } from '../failure.ts'
import { assertModels } from '../assert-options.ts'
import { withApp } from '../open-app.ts'
import { requestOf, sourceOptions, type AskOptions } from '../option-values.ts'
import { planText } from '../render/plan.ts'
import { usageText } from '../render/units.ts'
import { textArgument } from '../stdin.ts'
import { argument, strategyOption, JSON_OPTION, PLANNING_OPTIONS } from '../shared-options.ts'

export function addPlan({ root, cli, command }: Program): void {
  command(
    root,
    'plan',
    'show the plan for a question in stages, without running it',
    argument('[question...]', 'the question; - or a pipe reads standard input'),
    strategyOption('strategy of the plan (default: auto, by the question)'),
    ...PLANNING_OPTIONS,
    JSON_OPTION,
  ).run((words: string[], options: AskOptions) => showPlan(cli, words, { ...options, data: true }))
}

/** `tutti plan`: shows how a question would be worked on. Nothing is run and nothing is kept. */
async function showPlan(cli: Cli, words: readonly string[], options: AskOptions): Promise<void> {
  const question = await textArgument(cli, words, 'question', `tutti plan "How many orders came in last month?"`)
  return withApp(cli, { ...sourceOptions(options), inMemory: true }, async (app) => {
    assertModels(app, options.model ?? {})
    print(cli, await app.plan(requestOf(question, options)), options)
  })
}

function print(cli: Cli, planned: PlannedQuestion, { json = false }: AskOptions): void {
  if (json) return printJson(cli, planned)
  cli.out.line(planText(planned, cli.out.style))
  const used = usageText(planned.usage)
  if (used !== '') cli.err.line(cli.err.style.dim(used))
}
