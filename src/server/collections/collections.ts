import { z } from 'zod'
import type { Caller } from '../../domain/caller.ts'
import { TuttiError } from '../../domain/errors.ts'
import { sharedOwner } from '../../documents/collections.ts'
import { compareByName, type MyCollection } from '../../accounts/collections.ts'
import { ACTIONS } from '../../accounts/permissions.ts'
import {
  documentPage,
  listQuery,
  listSchema,
  uploaded,
  uploadedSchema,
  documentIn,
} from '../documents/document-records.ts'
import { addFiles, filesBody } from '../documents/upload.ts'
import type { Resource } from '../context.ts'
import { toPage, pageSchema, pageQuery, parseCursor, type Place } from '../paging.ts'
import { id, time, nameUpTo } from '../schemas.ts'
import { grantSchema, namedGrant } from '../groups/groups.ts'

const collectionSchema = z
  .object({
    collectionId: z.string(),
    name: z.string(),
    documents: z.number().int(),
    owner: z.string().optional().describe('Name of the owner, if it belongs to another user'),
    isOwn: z.boolean().describe('Whether the caller owns it'),
    ofInstallation: z.boolean().describe('Owned by the installation and managed by admins'),
    may: z
      .array(z.enum(ACTIONS))
      .readonly()
      .describe('`use`: ask it; `edit`: add and remove documents; `share`: all other changes'),
    grants: z.array(grantSchema).optional().describe('Its grants, if the caller may share it'),
    createdAt: time,
  })
  .meta({ id: 'Collection' })

const name = nameUpTo(200)
const ofDocument = z.object({ collectionId: id, documentId: id })

/** Collections of documents, shared with everyone, groups or users. */
export const collections: Resource = async (routes, parts) => {
  const { app, onError } = parts
  const { collections: all } = app.people
  const { store, ingest, shared } = app.knowledge
  routes.server.addContentTypeParser('multipart/form-data', async () => undefined)
  const toViews = async (mine: readonly MyCollection[], { userId }: Caller) => {
    const owners = mine.map(({ collectionId }) => sharedOwner(collectionId))
    const counts = await store.counts({ reader: userId, owners })
    const names = await app.people.granteeNames(mine.flatMap(({ grants = [] }) => grants.map(({ to }) => to)))
    return mine.map(({ owner, ownerName, createdAt, grants, ...fields }) => ({
      ...fields,
      grants: grants?.map((one) => namedGrant(one, names)),
      documents: counts.get(sharedOwner(fields.collectionId)) ?? 0,
      owner: owner === userId ? undefined : ownerName,
      isOwn: owner === userId,
      ofInstallation: owner === undefined,
      createdAt,
    }))
  }
  const toView = async (one: MyCollection, caller: Caller) => (await toViews([one], caller))[0]!

  routes.get(
    '/collections',
    {
      access: 'read',
      summary: 'The collections that the caller may use, by name',
      query: pageQuery,
      response: pageSchema(collectionSchema),
    },
    async ({ caller, query: { limit, cursor } }) => {
      const { items, ...next } = toPage(afterCursor(await all.listFor(caller), cursor), limit, namePosition)
      return { items: await toViews(items, caller), ...next }
    },
  )
  routes.post(
    '/collections',
    {
      access: 'manage',
      summary: 'Create a collection: an own one, or, for admins, one of the installation',
      body: z.strictObject({
        name,
        ofInstallation: z.boolean().optional().describe('For admins. Always true if no accounts exist'),
      }),
      response: { 201: collectionSchema },
    },
    async ({ caller, body }) => {
      const { ofInstallation = caller.kind === 'demo' } = body
      if (ofInstallation && caller.role !== 'admin') {
        throw new TuttiError(
          'NotAllowed',
          'Only an admin may create a collection of the installation. Leave out ofInstallation.',
        )
      }
      const created = await all.create(caller.userId, body.name, ofInstallation ? undefined : caller.userId)
      return await toView(await all.find(caller, created.collectionId), caller)
    },
  )
  routes.get(
    '/collections/:collectionId',
    { access: 'read', summary: 'A collection with its grants and permissions', response: collectionSchema },
    async ({ caller, params: { collectionId } }) => toView(await all.find(caller, collectionId), caller),
  )
  routes.patch(
    '/collections/:collectionId',
    { access: 'manage', summary: 'Rename a collection', body: z.strictObject({ name }), response: collectionSchema },
    async ({ caller, params: { collectionId }, body }) => {
      const collection = await all.find(caller, collectionId, 'share')
      await all.rename(caller.userId, collection, body.name)
      return toView(await all.find(caller, collection.collectionId), caller)
    },
  )
  routes.delete(
    '/collections/:collectionId',
    { access: 'manage', summary: 'Delete a collection and its documents' },
    async ({ caller, params: { collectionId } }) => shared.remove(caller, collectionId),
  )
  routes.get(
    '/collections/:collectionId/documents',
    { access: 'read', summary: 'Documents of a collection, newest first', query: listQuery, response: listSchema },
    async ({ caller, params: { collectionId }, query }) => {
      const collection = await all.find(caller, collectionId)
      const scope = { reader: caller.userId, owners: [sharedOwner(collection.collectionId)] }
      return documentPage(await store.documents(scope), query)
    },
  )
  routes.post(
    '/collections/:collectionId/documents',
    {
      access: 'documents',
      summary: 'Add files; waits until their text is stored, or returns an error per file',
      consumes: ['multipart/form-data'],
      body: filesBody,
      response: { 200: uploadedSchema, 201: uploadedSchema },
    },
    async (request, reply) => {
      const ownerOf = async () =>
        sharedOwner((await all.find(request.caller, request.params.collectionId, 'edit')).collectionId)
      // Before and after the upload: whether the collection exists and the caller may edit it.
      await ownerOf()
      const { code, items } = uploaded(await addFiles(request, { ingest, onError }, ownerOf))
      return reply.code(code).send({ items })
    },
  )
  routes.delete(
    '/collections/:collectionId/documents/:documentId',
    { access: 'documents', summary: 'Remove a document and everything derived from it', params: ofDocument },
    async ({ caller, params: { collectionId, documentId } }) => {
      const collection = await all.find(caller, collectionId, 'edit')
      const scope = sharedOwner(collection.collectionId)
      await documentIn(store, scope, documentId)
      await ingest.remove(scope, documentId)
    },
  )
}

interface Named {
  readonly collectionId: string
  readonly name: string
}

/** A position in the order of names. ID and name are short enough for a cursor. */
function namePosition({ name: called, collectionId }: Named): Place {
  return { at: 0, id: `${collectionId} ${called}` }
}

/** Items after the previous page. @throws TuttiError `InvalidRequest` if the cursor is not valid */
function afterCursor<T extends Named>(all: readonly T[], cursor: string | undefined): readonly T[] {
  const after = parseCursor(cursor)
  if (after === undefined) return all
  const [collectionId = '', ...words] = after.id.split(' ')
  return all.filter((one) => compareByName(one, { collectionId, name: words.join(' ') }) > 0)
}
