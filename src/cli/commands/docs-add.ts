import type { App } from '../../app/user-app.ts'
import { errorInfo, toTuttiError, TuttiError } from '../../domain/errors.ts'
import { LOCAL_OWNER } from '../../domain/events.ts'
import type { AddedFile } from '../../documents/ingest/ingestor.ts'
import type { Knowledge } from '../../documents/documents.ts'
import { READABLE } from '../../documents/types.ts'
import type { Cli } from '../cli.ts'
import type { Program } from '../command.ts'
import { documentObject, printDocuments } from '../documents.ts'
import { withApp } from '../open-app.ts'
import { EXIT, type ExitCode } from '../exit-codes.ts'
import { printJson } from '../failure.ts'
import { cancelOnInterrupt } from '../interrupt.ts'
import { createIngestView } from '../render/ingest-view.ts'
import { safeLine } from '../render/text.ts'
import { argument, option, JSON_OPTION } from '../shared-options.ts'

export function addDocsAdd({ root, cli, command }: Program): void {
  command(
    root,
    'add',
    'add files, folders and patterns; unchanged files are skipped',
    argument('<paths...>', `${READABLE} files, folders with such files, or patterns`),
    option('--watch', 'keep in sync with file changes until Ctrl-C'),
    JSON_OPTION,
  ).run((paths: string[], options: AddOptions) => addDocuments(cli, paths, options))
}

interface AddOptions {
  readonly watch?: boolean
  readonly json?: boolean
}

/** `tutti docs add`: adds files, then embeds their passages; with `--watch` until it is stopped. */
function addDocuments(cli: Cli, paths: readonly string[], { watch, json }: AddOptions): Promise<ExitCode> {
  return withApp(cli, {}, async (app) => {
    const { knowledge } = app
    const { findFiles, otherFiles } = await import('../../documents/ingest/find-files.ts')
    const files = await findFiles(paths, cli.cwd)
    if (files.every(({ isSkipped }) => isSkipped === true) && watch !== true) {
      const { unknownKind } = await import('../../documents/parsing/detect.ts')
      const few = files.slice(0, 3).map(({ name }) => unknownKind(name).message)
      const more =
        files.length > few.length ? [`${files.length - few.length} more of them cannot be read, either.`] : []
      const none = 'None of the files that you named is of a kind that can be read.'
      throw new TuttiError('InvalidRequest', [none, ...few, ...more].join(' '))
    }
    const others = await otherFiles(paths, cli.cwd)
    const stop = new AbortController()
    const interrupts = cancelOnInterrupt(cli, () =>
      stop.abort(new TuttiError('Cancelled', 'Stopped. Documents that were added completely are kept.')),
    )
    const added = await addOnce(cli, knowledge, paths, files.length, stop.signal)
    const { trouble } = added
    const error = trouble === undefined ? {} : { error: errorInfo(trouble) }
    if (json === true) printJson(cli, { files: added.files.map(fileObject), embedded: added.embedded, ...error })
    else printAdded(cli, added.files)
    if (others.length > 0) cli.err.line(safeLine(`${skippedText(others)} skipped: no documents.`))
    if (trouble !== undefined) cli.err.line(cli.err.style.yellow(`No vectors yet: ${safeLine(trouble.message)}`))
    if (watch === true) {
      app.descriptions.work()
      await keepWatching(cli, knowledge, paths, stop)
    } else await describeAll(cli, app, stop.signal)
    interrupts.runIsOver()
    return trouble !== undefined || added.files.some((file) => 'error' in file) ? EXIT.failed : EXIT.ok
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
  readonly trouble?: TuttiError
}

async function addOnce(
  cli: Cli,
  { ingest }: Knowledge,
  paths: readonly string[],
  count: number,
  signal: AbortSignal,
): Promise<AddedOnce> {
  const view = createIngestView(cli.err, count)
  try {
    const options = { signal, onProgress: view.take }
    const files = await ingest.addPaths(LOCAL_OWNER, paths, { ...options, cwd: cli.cwd })
    try {
      return { files, embedded: await ingest.embedPending(LOCAL_OWNER, options) }
    } catch (thrown) {
      if (signal.aborted) throw thrown
      return { files, embedded: 0, trouble: toTuttiError(thrown) }
    }
  } finally {
    view.stop()
  }
}

/**
 * Describes the added documents. They can be searched already; if the user stops this, a later `add` or the server
 * continues.
 */
async function describeAll(cli: Cli, { descriptions }: App, signal: AbortSignal): Promise<void> {
  if (!descriptions.isOn) return
  const view = createIngestView(cli.err)
  const onDone = (name: string): void => view.take({ name, stage: 'describing' })
  await descriptions.pending(LOCAL_OWNER, signal, onDone).finally(view.stop)
  if (signal.aborted)
    cli.err.line('Descriptions that are missing are made by the next “docs add”, or while the server runs.')
}

/** Watches until Ctrl-C or a signal to end. */
async function keepWatching(
  cli: Cli,
  { ingest }: Knowledge,
  paths: readonly string[],
  stop: AbortController,
): Promise<void> {
  const view = createIngestView(cli.err)
  void cli.untilStopped().then(() => stop.abort())
  await ingest.watch(LOCAL_OWNER, paths, {
    cwd: cli.cwd,
    signal: stop.signal,
    onProgress: view.take,
    onReady: () => cli.err.line('Watching for changes. Ctrl-C stops.'),
  })
  view.stop()
}

function printAdded(cli: Cli, files: readonly AddedFile[]): void {
  const records = files.flatMap((file) => ('added' in file ? [file.added.record] : []))
  if (records.length > 0) printDocuments(cli, records)
  for (const { name, notes } of records) for (const note of notes) cli.err.line(safeLine(`${name}: ${note}`))
}

/** A file and its result, as JSON. */
function fileObject(file: AddedFile) {
  const { path, name } = file
  if ('skipped' in file) return { path, name, status: 'skipped', error: file.skipped }
  if ('error' in file) return { path, name, status: 'failed', error: file.error }
  const { record, isNew } = file.added
  return { path, name, status: isNew ? 'added' : 'unchanged', document: documentObject(record) }
}
