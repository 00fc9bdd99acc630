import { parseDuration } from './option-values.ts'
import type { Program } from './program.ts'
import { allowHostOption, databaseOption, jsonOption } from './shared-options.ts'

/** Commands that look at one capability by itself: databases, APIs, Python. */
export function addToolCommands(program: Program): void {
  addDbCommands(program)
  addApiCommands(program)
  addPythonCommands(program)
}

function addDbCommands({ root, cli, globals, run }: Program): void {
  const db = root.command('db').description('look at databases and queries, without running any')
  db.command('check')
    .description('say whether a query would be allowed to run, and why not')
    .argument('[sql...]', 'the query; - reads standard input')
    .addOption(databaseOption())
    .addOption(jsonOption())
    .action(
      run(async (words: string[], options) => {
        const { checkSql } = await import('./commands/db.ts')
        return checkSql(cli, globals(), words, options)
      }),
    )
  db.command('tables')
    .description('list tables and columns')
    .addOption(databaseOption())
    .addOption(jsonOption())
    .action(
      run(async (options) => {
        const { listTables } = await import('./commands/db.ts')
        return listTables(cli, globals(), options)
      }),
    )
}

function addApiCommands({ root, cli, globals, run }: Program): void {
  const api = root.command('api').description('look at the catalogue of an API')
  api
    .command('list')
    .description('list its operations')
    .argument('<file>', 'file or URL of an OpenAPI document or catalogue')
    .addOption(allowHostOption())
    .addOption(jsonOption())
    .action(
      run(async (file: string, options) => {
        const { listEndpoints } = await import('./commands/api.ts')
        return listEndpoints(cli, globals(), file, options)
      }),
    )
  api
    .command('show')
    .description('show one operation in full')
    .argument('<file>', 'file or URL of an OpenAPI document or catalogue')
    .argument('<operation>', 'its id, its path, or method and path such as "GET /orders"')
    .addOption(allowHostOption())
    .addOption(jsonOption())
    .action(
      run(async (file: string, operation: string, options) => {
        const { showEndpoint } = await import('./commands/api.ts')
        return showEndpoint(cli, globals(), file, operation, options)
      }),
    )
}

function addPythonCommands({ root, cli, globals, run }: Program): void {
  root
    .command('python')
    .description('run Python in the sandbox')
    .command('run')
    .description('run a file, as the computation agent would')
    .argument('<file>', 'Python 3')
    .option('--input <file>', 'JSON that the code finds in its variable "data"')
    .option('--timeout <time>', 'seconds, or 90s, 5m', parseDuration)
    .addOption(jsonOption())
    .action(
      run(async (file: string, options) => {
        const { runPythonFile } = await import('./commands/python.ts')
        return runPythonFile(cli, globals(), file, options)
      }),
    )
}
