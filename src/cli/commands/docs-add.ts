import { errorInfo, toTuttiError, TuttiError } from '../../domain/errors.ts'
import { LOCAL_OWNER } from '../../domain/events.ts'
import type { AddedFile } from '../../documents/ingest/ingestor.ts'
import type { Knowledge } from '../../documents/documents.ts'
import { READABLE } from '../../documents/types.ts'
import type { Cli } from '../cli.ts'
import type { JsonOption, Program } from '../command.ts'
import { documentObject, printDocuments } from '../documents.ts'
import { withApp } from '../open-app.ts'
import { EXIT, type ExitCode } from '../exit-codes.ts'
import { printJson } from '../failure.ts'
import { cancelOnInterrupt } from '../interrupt.ts'
import { ingestPrinter } from '../render/ingest-line.ts'
import { safeLine } from '../render/text.ts'
import { argument, JSON_OPTION } from '../shared-options.ts'

export function addDocsAdd({ root, cli, command }: Program): void {
  command(
    root,
    'add',
    'add files and folders; unchanged files are skipped',
    argument('<paths...>', `${READABLE} files, or folders with such files`),
    JSON_OPTION,
  ).run((paths: string[], options: JsonOption) => addDocuments(cli, paths, options))
}

/** `tutti docs add`: adds files, embeds their passages, and waits for their descriptions. */
function addDocuments(cli: Cli, paths: readonly string[], { json }: JsonOption): Promise<ExitCode> {
  return withApp(cli, {}, async (app) => {
    const { knowledge, descriptions } = app
    const { findFiles, otherFiles } = await import('../../documents/ingest/find-files.ts')
    const files = await findFiles(paths, cli.cwd)
    if (files.length === 0)
      throw new TuttiError('InvalidRequest', `There are no ${READABLE} files in ${paths.join(', ')}.`)
    const others = await otherFiles(paths, cli.cwd)
    const stop = new AbortController()
    const interrupts = cancelOnInterrupt(cli, () => {
      stop.abort(new TuttiError('Cancelled', 'Stopped. Documents that were added completely are kept.'))
      void descriptions.close()
    })
    descriptions.work()
    const added = await addOnce(cli, knowledge, paths, stop.signal)
    const { embedError } = added
    const error = embedError === undefined ? {} : { error: errorInfo(embedError) }
    if (json === true) printJson(cli, { files: added.files.map(fileObject), embedded: added.embedded, ...error })
    else printAdded(cli, added.files)
    if (others.length > 0) cli.err.line(safeLine(`${skippedText(others)} skipped: no documents.`))
    if (embedError !== undefined) cli.err.line(cli.err.style.yellow(`No vectors yet: ${safeLine(embedError.message)}`))
    await descriptions.finish()
    interrupts.runIsOver()
    return embedError !== undefined || added.files.some((file) => 'error' in file) ? EXIT.failed : EXIT.ok
  })
}

/** “3 other files (photo.jpg, plan.dwg, …) were” */
function skippedText(names: readonly string[]): string {
  const few = names.toSorted().slice(0, 2).join(', ')
  const more = names.length > 2 ? ', …' : ''
  return names.length === 1 ? `1 other file (${few}) was` : `${names.length} other files (${few}${more}) were`
}

interface AddedOnce {
  readonly files: readonly AddedFile[]
  readonly embedded: number
  /** Error of the embedding model. The documents are added anyway, and a later `add` retries. */
  readonly embedError?: TuttiError
}

async function addOnce(
  cli: Cli,
  { ingest }: Knowledge,
  paths: readonly string[],
  signal: AbortSignal,
): Promise<AddedOnce> {
  const options = { signal, onProgress: ingestPrinter(cli.err) }
  const files = await ingest.addPaths(LOCAL_OWNER, paths, { ...options, cwd: cli.cwd })
  try {
    return { files, embedded: await ingest.embedPending(LOCAL_OWNER, options) }
  } catch (thrown) {
    if (signal.aborted) throw thrown
    return { files, embedded: 0, embedError: toTuttiError(thrown) }
  }
}

function printAdded(cli: Cli, files: readonly AddedFile[]): void {
  const records = files.flatMap((file) => ('added' in file ? [file.added.record] : []))
  if (records.length > 0) printDocuments(cli, records)
  for (const { name, notes } of records) for (const note of notes) cli.err.line(safeLine(`${name}: ${note}`))
}

/** A file and its result, as JSON. */
function fileObject(file: AddedFile) {
  const { path, name } = file
  if ('error' in file) return { path, name, status: 'failed', error: file.error }
  const { record, isNew } = file.added
  return { path, name, status: isNew ? 'added' : 'unchanged', document: documentObject(record) }
}
