import type { App } from '../../app.ts'
import type { IngestProgress } from '../../knowledge/types.ts'
import type { Cli, GlobalOptions } from '../cli.ts'
import type { ExitCode } from '../exit-codes.ts'
import { findConversation } from '../find-conversation.ts'
import { followRun } from '../follow.ts'
import { withApp } from '../open-app.ts'
import { assertModels } from '../models-named.ts'
import { requestOf, sourcesOf, type AskOptions } from '../option-values.ts'
import { textArgument } from '../stdin.ts'
import { createIngestView } from './docs-progress.ts'

/** `tutti ask`: starts a run, shows how it goes, prints its answer. */
export async function ask(
  cli: Cli,
  globals: GlobalOptions,
  words: readonly string[],
  options: AskOptions,
): Promise<ExitCode> {
  const question = await textArgument(cli, words, 'question', 'tutti ask "How many orders came in last month?"')
  const view = createIngestView(cli.err)
  const onDocument = (progress: IngestProgress): void => {
    // What fails is told as a warning, and what is as it was is no news.
    if (progress.stage !== 'failed' && progress.stage !== 'unchanged') view.take(progress)
  }
  return withApp(cli, globals, { ...sourcesOf(options), onDocument }, async (app) => {
    assertModels(app, options.model ?? {})
    await assertReachable(app, options.db?.length ?? 0)
    const { conversation } = options
    const conversationId = conversation === undefined ? undefined : await findConversation(app, conversation)
    const request = requestOf(question, options)
    const begun = app.start(conversationId === undefined ? request : { ...request, conversationId })
    const runId = await begun.finally(view.stop)
    return followRun(cli, app, runId, { json: options.json === true, trace: options.trace === true })
  })
}

/**
 * A database named on the command line that cannot be read is an error at once, not a run that fails. Those of the
 * configuration are left to the agent, which may do without one of them.
 * @throws TuttiError of the first that cannot be read
 */
async function assertReachable(app: App, count: number): Promise<void> {
  const { signal } = new AbortController()
  const configured = app.config.databases.length
  const named = app.databases.slice(configured, configured + count)
  await Promise.all(named.map((database) => database.schema(signal)))
}
