import type { App } from '../../app/user-app.ts'
import type { RequestInput } from '../../domain/request.ts'
import type { PlannedQuestion } from '../../engine/run/plan-question.ts'
import type { Cli } from '../cli.ts'
import type { Program } from '../command.ts'
import { printJson } from '../failure.ts'
import { assertModels } from '../assert-options.ts'
import { withApp } from '../open-app.ts'
import { requestOf, sourceOptions, type AskOptions } from '../option-values.ts'
import { planMermaid, planText } from '../render/plan.ts'
import { withSpinner } from '../render/spinner.ts'
import { usageText } from '../render/units.ts'
import { textArgument } from '../stdin.ts'
import { argument, option, strategyOption, JSON_OPTION, PLANNING_OPTIONS } from '../shared-options.ts'

export function addPlan({ root, cli, command }: Program): void {
  command(
    root,
    'plan',
    'show the plan for a question, as stages and as a Mermaid graph, without running it',
    argument('[question...]', 'the question; - or a pipe reads standard input'),
    strategyOption('strategy of the plan (default: auto, by the question)'),
    ...PLANNING_OPTIONS,
    option('--mermaid', 'print only the Mermaid graph'),
    JSON_OPTION,
  ).run((words: string[], options: PlanOptions) =>
    showPlan(cli, (app, request) => app.plan(request), words, { ...options, data: true }),
  )
}

/** Plans a question without working on it. */
export type PlanOf = (app: App, request: RequestInput) => Promise<PlannedQuestion>

export interface PlanOptions extends AskOptions {
  readonly mermaid?: boolean
}

/** `tutti plan`: shows how a question would be worked on. Nothing is run and nothing is kept. */
export async function showPlan(
  cli: Cli,
  planOf: PlanOf,
  words: readonly string[],
  options: PlanOptions,
): Promise<void> {
  const question = await textArgument(cli, words, 'question', `${cli.self} plan "How many orders came in last month?"`)
  return withApp(cli, { ...sourceOptions(options), inMemory: true }, async (app) => {
    assertModels(app, options.model ?? {})
    const planning = planOf(app, requestOf(question, options))
    print(cli, await withSpinner(cli, 'Planning', planning), options)
  })
}

function print(cli: Cli, planned: PlannedQuestion, { json = false, mermaid = false }: PlanOptions): void {
  const graph = planMermaid(planned)
  if (json) return printJson(cli, { ...planned, mermaid: graph })
  if (!mermaid) cli.out.line(`${planText(planned, cli.out.style)}\n`)
  cli.out.write(`${graph}\n`)
  if (mermaid) return
  const used = usageText(planned.usage)
  if (used !== '') cli.err.line(cli.err.style.dim(used))
}
