import { TuttiError } from '../../domain/errors.ts'
import type { App } from '../../app/user-app.ts'
import type { Caller } from '../../domain/caller.ts'
import { LOCAL_OWNER } from '../../domain/events.ts'
import { sharedOwner } from '../../documents/collections.ts'
import type { Grant, Level } from '../../accounts/permissions.ts'
import type { MyCollection } from '../../accounts/collections.ts'
import { COMMAND_LINE } from '../../accounts/account-changes.ts'
import type { JsonOption, Program, CommandPart, YesOption } from '../command.ts'
import { documentObject, findDocument, printDocuments } from '../documents.ts'
import { printJson } from '../failure.ts'
import { createIngestView } from '../render/ingest-view.ts'
import { printItems } from '../render/table.ts'
import { safeLine } from '../render/text.ts'
import { shortId } from '../render/units.ts'
import { GRANTEE_HINT } from './groups.ts'
import { argument, option, JSON_OPTION, YES_OPTION } from '../shared-options.ts'
import { askConfirmation } from '../prompt.ts'

/** Commands for documents that are given to people together. */
export function addCollectionCommands({ root, cli, command }: Program): void {
  const collections = root.command('collections').description('manage collections of documents and who can read them')
  const named = (name: string, description: string, ...parts: CommandPart[]) =>
    command(collections, name, description, argument('<collection>', 'its name or id'), ...parts)
  /** Works with a collection as the user of the machine. */
  const withCollection =
    <A extends readonly unknown[]>(work: (app: App, collection: MyCollection, ...args: A) => Promise<void>) =>
    async (app: App, name: string, ...args: A): Promise<void> =>
      work(app, await app.people.collections.find(await localCaller(app), name, 'share'), ...args)
  command(collections, 'list', 'list collections and who can read them', JSON_OPTION).withApp(
    async (app, { json }: JsonOption) => {
      const { people, knowledge } = app
      const found = (await people.collections.listFor(await localCaller(app))).map(async (collection) => ({
        id: collection.collectionId,
        name: collection.name,
        documents: (await knowledge.store.documents(sharedOwner(collection.collectionId))).length,
        'given to': await grantsText(app, await people.collections.grants(collection)),
      }))
      const rows = await Promise.all(found)
      printItems(cli, {
        json,
        object: { collections: rows },
        empty: `There are no collections yet. Create one with: ${cli.self} collections create NAME`,
        rows: rows.map(withShortId),
      })
    },
  )
  command(collections, 'create', 'create a collection', argument('<name>', 'its name')).withApp(
    async ({ people }, name: string) => {
      await people.collections.create(COMMAND_LINE, name)
      cli.err.line('Collection created.')
    },
  )
  named('remove', 'remove a collection, with its documents', YES_OPTION).withApp(
    withCollection(async (app, collection, { yes }: YesOption) => {
      const what = `Remove the collection ${safeLine(collection.name)} with its documents`
      if (!(await askConfirmation(cli, { what, yes }))) return
      await app.knowledge.shared.remove(await localCaller(app), collection.collectionId, COMMAND_LINE)
      cli.err.line('Collection removed.')
    }),
  )
  const setGrant = async ({ people }: App, collection: MyCollection, whom: string, level: Level | undefined) => {
    await people.collections.setGrant(COMMAND_LINE, collection, await people.resolveGrantee(whom), level)
    cli.err.line(level === undefined ? 'Access removed.' : 'Access granted.')
  }
  named(
    'give',
    'share a collection with everyone, a group or a user',
    argument('<whom>', GRANTEE_HINT),
    option('--edit', 'also allow adding and removing documents'),
  ).withApp(
    withCollection((app, collection, whom: string, { edit }: { readonly edit?: boolean }) =>
      setGrant(app, collection, whom, edit === true ? 'editor' : 'reader'),
    ),
  )
  named('take', 'stop sharing a collection', argument('<whom>', GRANTEE_HINT)).withApp(
    withCollection((app, collection, whom: string) => setGrant(app, collection, whom, undefined)),
  )
  command(collections, 'given', 'list collections that users share, without their documents', JSON_OPTION).withApp(
    async (app, { json }: JsonOption) => {
      const all = await app.people.collections.listShared()
      const found = all.map(async ({ collectionId, name, owner, ownerName, grants }) => ({
        id: collectionId,
        name,
        owner: ownerName ?? owner ?? '',
        'given to': await grantsText(app, grants),
      }))
      const rows = await Promise.all(found)
      printItems(cli, {
        json,
        object: { given: rows },
        empty: 'No user shares a collection.',
        rows: rows.map(withShortId),
      })
    },
  )
  command(
    collections,
    'withdraw',
    'stop the sharing of a user’s collection, for all or for one reader',
    argument('<collection>', 'its id, a prefix of it, or its name'),
    argument('[whom]', GRANTEE_HINT),
  ).withApp(async ({ people }, start: string, whom: string | undefined) => {
    const all = await people.collections.listShared()
    const isNamed = all.some(({ collectionId, name }) => collectionId === start || name === start)
    const found = isNamed ? [] : all.filter(({ collectionId }) => collectionId.startsWith(start))
    if (found.length > 1)
      throw new TuttiError('InvalidRequest', `Several collections begin with "${start}"; type more of the id.`)
    const from = whom === undefined ? undefined : await people.resolveGrantee(whom)
    await people.collections.revokeGrants(COMMAND_LINE, found[0]?.collectionId ?? start, from)
    cli.err.line('Sharing stopped. The owner keeps the collection.')
  })
  named('add', 'add documents to a collection', argument('<path...>', 'files, folders or patterns')).withApp(
    withCollection(async ({ knowledge: { ingest } }, { collectionId }, paths: readonly string[]) => {
      const scope = sharedOwner(collectionId)
      const view = createIngestView(cli.err)
      const options = { onProgress: view.take }
      const files = await ingest.addPaths(scope, paths, { ...options, cwd: cli.cwd }).finally(view.stop)
      await ingest.embedPending(scope, options).finally(view.stop)
      const records = files.flatMap((file) => ('added' in file ? [file.added.record] : []))
      if (records.length > 0) printDocuments(cli, records)
      const failed = files.flatMap((file) => ('error' in file ? [`${file.name}: ${file.error}`] : []))
      for (const line of failed.slice(1)) cli.err.line(safeLine(line))
      if (failed.length > 0) throw new TuttiError('DocumentError', failed[0]!)
      if (records.length > 0) return
      throw new TuttiError('InvalidRequest', `There are no files of a kind that can be read in ${paths.join(', ')}.`)
    }),
  )
  named('documents', 'list the documents of a collection', JSON_OPTION).withApp(
    withCollection(async ({ knowledge: { store } }, { collectionId }, { json }: JsonOption) => {
      const records = await store.documents(sharedOwner(collectionId))
      if (json === true) return printJson(cli, { documents: records.map(documentObject) })
      if (records.length > 0) return printDocuments(cli, records)
      cli.err.line(`The collection has no documents yet. Add some with: ${cli.self} collections add NAME PATH`)
    }),
  )
  named(
    'drop',
    'remove a document from a collection',
    argument('<document>', 'its id, a prefix of it, or its name'),
  ).withApp(
    withCollection(async ({ knowledge: { store, ingest } }, { collectionId }, document: string) => {
      const scope = sharedOwner(collectionId)
      const record = findDocument(cli, await store.documents(scope), document)
      await ingest.remove(scope, record.documentId)
      cli.err.line(`Removed ${safeLine(record.name)}.`)
    }),
  )
}

/** @throws TuttiError `NotAllowed` where an account of the machine’s own name is disabled */
async function localCaller({ people }: App): Promise<Caller> {
  const caller = await people.callerOf(LOCAL_OWNER)
  if (caller === undefined) throw new TuttiError('NotAllowed', `The account "${LOCAL_OWNER}" is disabled.`)
  return caller
}

/** Grants in one line. */
async function grantsText({ people }: App, grants: readonly Grant[]): Promise<string> {
  const names = await people.granteeNames(grants.map(({ to }) => to))
  const given = grants.map(({ to, level }) => {
    const named = names.has(to) ? `${to.split(':')[0]}:${names.get(to)}` : to
    return level === 'editor' ? `${named} (edit)` : named
  })
  return given.join(', ')
}

function withShortId<T extends { readonly id: string }>(row: T): T {
  return { ...row, id: shortId(row.id) }
}
