import { TuttiError } from '../../domain/errors.ts'
import type { App } from '../../app/user-app.ts'
import type { Cli } from '../cli.ts'
import type { Program } from '../command.ts'
import type { ExitCode } from '../exit-codes.ts'
import { findConversation } from '../find-run.ts'
import { followRun } from '../follow.ts'
import { assertModels } from '../assert-options.ts'
import { withApp } from '../open-app.ts'
import { requestOf, sourceOptions, type AskOptions } from '../option-values.ts'
import { ingestPrinter } from '../render/ingest-line.ts'
import { textArgument } from '../stdin.ts'
import { argument, option, JSON_OPTION, ANSWER_OPTIONS } from '../shared-options.ts'

export function addAsk({ root, cli, command }: Program): void {
  command(
    root,
    'ask',
    'ask a question and print the answer, its table and its sources',
    argument('[question...]', 'the question; - or a pipe reads standard input'),
    ...ANSWER_OPTIONS,
    option('--no-memory', 'use nothing that is remembered, and remember nothing').conflicts('conversation'),
    JSON_OPTION,
  ).run((words: string[], options: AskOptions) => ask(cli, words, options))
}

/** `tutti ask`: starts a run, shows its progress and prints its answer. */
async function ask(cli: Cli, words: readonly string[], options: AskOptions): Promise<ExitCode> {
  const question = await textArgument(cli, words, 'question', `tutti ask "How many orders came in last month?"`)
  // Failures are printed as warnings.
  const onDocument = ingestPrinter(cli.err, true)
  return withApp(cli, { ...sourceOptions(options), onDocument }, async (app) => {
    assertModels(app, options.model ?? {})
    await assertReachable(app, options.db?.length ?? 0)
    const { conversation } = options
    const conversationId = conversation === undefined ? undefined : await findConversation(app, conversation)
    const request = requestOf(question, options)
    const runId = await app.start(conversationId === undefined ? request : { ...request, conversationId })
    return followRun(cli, app, runId, { json: options.json === true, trace: options.trace === true })
  })
}

/**
 * Fails early if a database of the command line does not exist, or if none of them can be read. If only some cannot be
 * read, the agent leaves them out and reports it.
 * @throws TuttiError of the first one that cannot be read
 */
export async function assertReachable(app: App, count: number): Promise<void> {
  const { signal } = new AbortController()
  const configured = app.config.databases.length
  // A configured database is not added again.
  const named = app.databases.slice(configured, configured + count)
  const read = await Promise.allSettled(named.map((database) => database.schema(signal)))
  const failed = read.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []))
  const isMissing = (error: unknown): boolean => error instanceof TuttiError && error.code === 'SourceNotFound'
  const fatal = failed.find(isMissing) ?? (failed.length === named.length ? failed[0] : undefined)
  if (fatal !== undefined) throw fatal
}
