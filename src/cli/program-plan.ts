import type { PlanOf, PlanOptions } from './commands/plan.ts'
import { parseNames } from './option-values.ts'
import type { Program } from './program.ts'
import { contextOption, jsonOption, modelOption, systemPromptOption, withSources } from './shared-options.ts'

/** Adds `tutti plan`, which shows the plan for a question and does not carry it out. */
export function addPlanCommand({ root, cli, globals, run }: Program, planOf: PlanOf): void {
  const command = root
    .command('plan')
    .description('show how a question would be worked on, as stages and as a Mermaid graph, without doing it')
    .argument('[question...]', 'the question; - or a pipe reads standard input')
  withSources(command)
    .option('--strategy <name>', 'whose plan (default: graph)')
    .option('--prefer <agents>', 'agents to put first, separated by commas; repeatable', parseNames)
    .option('--disable <agents>', 'agents to leave out; repeatable', parseNames)
    .addOption(contextOption())
    .addOption(systemPromptOption())
    .addOption(modelOption())
    .option('--mermaid', 'print the Mermaid graph alone')
    .addOption(jsonOption())
    .action(
      run(async (words: string[], options: PlanOptions) => {
        const { showPlan } = await import('./commands/plan.ts')
        return showPlan(cli, globals(), planOf, words, { ...options, data: true })
      }),
    )
}
