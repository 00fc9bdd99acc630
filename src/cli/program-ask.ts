import { Option } from 'commander'
import {
  parseAmount,
  parseDuration,
  parseLocale,
  parseNames,
  parseWholeNumber,
  type AskOptions,
} from './option-values.ts'
import type { Program } from './program.ts'
import {
  contextOption,
  jsonOption,
  modelOption,
  systemPromptOption,
  traceOption,
  withSources,
} from './shared-options.ts'

export function addAskCommand({ root, cli, globals, run }: Program): void {
  const command = root
    .command('ask')
    .description('ask a question and print the answer, its table and its sources')
    .argument('[question...]', 'the question; - or a pipe reads standard input')
  withSources(command)
    .option('--strategy <name>', 'how the work is organised, such as graph (default: pipeline)')
    .option('--prefer <agents>', 'agents to put first, separated by commas; repeatable', parseNames)
    .option('--disable <agents>', 'agents to leave out; repeatable', parseNames)
    .addOption(contextOption())
    .addOption(systemPromptOption())
    .addOption(modelOption())
    .option('--locale <tag>', 'how numbers and money are written, such as en-IN', parseLocale)
    .option('--max-cost <usd>', 'stop asking models at this cost in US dollars', parseAmount)
    .option('--max-tokens <n>', 'stop asking models at so many tokens', parseWholeNumber)
    .option('--max-calls <n>', 'stop asking models after so many calls', parseWholeNumber)
    .option('--max-turns <n>', 'start at most so many agents', parseWholeNumber)
    .option('--timeout <time>', 'seconds, or 90s, 5m, 1h; at a limit the run answers with what it has', parseDuration)
    .option('--conversation <id>', 'go on with an earlier conversation: its id, or "last"')
    .addOption(
      new Option('--no-memory', 'use nothing that is remembered, and remember nothing').conflicts('conversation'),
    )
    .option('--no-approvals', 'ask nobody: what needs an approval is left undone, and the answer says so')
    .option('--no-data', 'leave tables out of the response')
    .addOption(traceOption())
    .addOption(jsonOption())
    .action(
      run(async (words: string[], options: AskOptions) => {
        const { ask } = await import('./commands/ask.ts')
        return ask(cli, globals(), words, options)
      }),
    )
}
