import { TuttiError } from '../../domain/errors.ts'
import { LOCAL_OWNER } from '../../domain/events.ts'
import type { JsonOption, Program } from '../command.ts'
import { askConfirmation } from '../confirm.ts'
import { DOCUMENT, documentObject, findDocument, printDocuments } from '../documents.ts'
import { printJson } from '../failure.ts'
import { createIngestView } from '../render/ingest-view.ts'
import { safeLine } from '../render/text.ts'
import { withSpinner } from '../render/spinner.ts'
import { jsonOption, yesOption } from '../shared-options.ts'
import { addDocsAdd } from './docs-add.ts'
import { addDocsSearch } from './docs-search.ts'
import { addDocsShow } from './docs-show.ts'

/** Commands on documents: add, list, read, search, reindex, remove. */
export function addDocs(program: Program): void {
  const root = program.root.command('docs').description('add, search, show and remove documents')
  const { cli, withApp } = program
  const group = { ...program, root }
  addDocsAdd(group)
  root
    .command('list')
    .description('list documents, newest first')
    .addOption(jsonOption())
    .action(
      withApp(async ({ knowledge }, { json }: JsonOption) => {
        const documents = await knowledge.store.documents(LOCAL_OWNER)
        if (json === true) printJson(cli, { documents: documents.map(documentObject) })
        else if (documents.length === 0)
          cli.err.line(`There are no documents yet. Add some with: ${cli.self} docs add FOLDER`)
        else printDocuments(cli, documents)
      }),
    )
  root
    .command('reindex')
    .description('recreate all vectors after a change of the embedding model')
    .addOption(jsonOption())
    .action(
      withApp(async ({ knowledge: { store, ingest } }, { json }: JsonOption) => {
        const view = createIngestView(cli.err)
        const embedded = await ingest.reindex(LOCAL_OWNER, { onProgress: view.take }).finally(view.stop)
        const wanted = (await store.documents(LOCAL_OWNER)).reduce((sum, { chunks }) => sum + chunks, 0)
        if (embedded < wanted) {
          const message = 'No vectors were made, since no embedding model is configured; set TUTTI_EMBEDDING_MODEL.'
          throw new TuttiError('ConfigurationError', message)
        }
        if (json === true) printJson(cli, { embedded })
        else cli.out.line(embedded === 1 ? '1 passage has a new vector.' : `${embedded} passages have new vectors.`)
      }),
    )
  addDocsShow(group)
  addDocsSearch(group)
  root
    .command('remove')
    .description('remove documents')
    .argument('<documents...>', DOCUMENT)
    .addOption(yesOption())
    .addOption(jsonOption())
    .action(
      withApp(async ({ knowledge: { store, ingest } }, names: readonly string[], { json, yes }: RemoveOptions) => {
        const all = await store.documents(LOCAL_OWNER)
        const records = [...new Set(names.map((name) => findDocument(cli, all, name)))]
        const what = records.length === 1 ? safeLine(records[0]!.name) : `${records.length} documents`
        if (!(await askConfirmation(cli, { what: `Remove ${what}`, yes }))) return
        for (const { documentId, name } of records) {
          await withSpinner(cli, `Removing ${safeLine(name)}`, ingest.remove(LOCAL_OWNER, documentId))
          if (json !== true) cli.err.line(`Removed ${safeLine(name)}.`)
        }
        if (json === true) printJson(cli, { removed: records.map(({ documentId, name }) => ({ documentId, name })) })
      }),
    )
}

interface RemoveOptions extends JsonOption {
  readonly yes?: boolean
}
