import type { Program } from './program.ts'
import { jsonOption } from './shared-options.ts'

/** Commands with which users look at what is remembered of them, correct and erase it (SPEC R8). */
export function addMemoryCommands({ root, cli, globals, run }: Program): void {
  const memory = root.command('memory').description('see, correct and erase what is remembered of you')
  memory
    .command('show')
    .description('show what is remembered, and which run it comes from')
    .addOption(jsonOption())
    .action(
      run(async (options) => {
        const { showMemory } = await import('./commands/memory.ts')
        return showMemory(cli, globals(), options)
      }),
    )
  memory
    .command('edit')
    .description('write one field')
    .argument('<field>', 'such as name, company, job-title, projects, tone, detail-level, language')
    .argument('<value...>', 'its value; projects separated by commas')
    .action(
      run(async (field: string, words: string[]) => {
        const { editMemory } = await import('./commands/memory.ts')
        return editMemory(cli, globals(), field, words)
      }),
    )
  memory
    .command('forget')
    .description('erase fields with their history')
    .argument('[field...]', 'the fields')
    .option('--all', 'everything, all conversations included')
    .option('-y, --yes', 'do not ask')
    .action(
      run(async (fields: string[], options) => {
        const { forgetMemory } = await import('./commands/memory.ts')
        return forgetMemory(cli, globals(), fields, options)
      }),
    )
  memory
    .command('history')
    .description('list what was changed, when and by what')
    .addOption(jsonOption())
    .action(
      run(async (options) => {
        const { memoryHistory } = await import('./commands/memory.ts')
        return memoryHistory(cli, globals(), options)
      }),
    )
}
