import { z } from 'zod'
import type { Caller } from '../../domain/caller.ts'
import { toTuttiError, TuttiError } from '../../domain/errors.ts'
import { sharedOwner } from '../../documents/collections.ts'
import type { MyCollection } from '../../accounts/collections.ts'
import { ACTIONS } from '../../accounts/permissions.ts'
import { namePosition, afterCursor } from './name-paging.ts'
import { addAll } from '../documents/add-all.ts'
import { createDocumentFinder, documentIn } from '../documents/readable-document.ts'
import { documentPage, listQuery, listSchema, uploaded, uploadedSchema } from '../documents/schema.ts'
import { receiveFiles, uploadsBody } from '../documents/upload.ts'
import { grantSchema, namedGrant } from '../groups/grants.ts'
import type { Resource } from '../context.ts'
import { toPage, pageSchema, pageQuery } from '../paging.ts'
import { id, time, nameUpTo, noContent } from '../schemas.ts'
import { access } from '../access.ts'

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
const params = z.object({ collectionId: id })
const ofDocument = z.object({ collectionId: id, documentId: id })

/** Collections of documents, shared with everyone, groups or users. */
export const collections: Resource = async (server, parts) => {
  const { app, onTrouble } = parts
  const { collections: all } = app.people
  const { store, ingest, shared } = app.knowledge
  server.addContentTypeParser('multipart/form-data', async () => undefined)
  const shownAll = async (some: readonly MyCollection[], { userId }: Caller) => {
    const owners = some.map(({ collectionId }) => sharedOwner(collectionId))
    const counts = await store.counts({ reader: userId, owners })
    const names = await app.people.namesOf(some.flatMap(({ grants = [] }) => grants.map(({ to }) => to)))
    return some.map(({ owner, ownerName, createdAt, grants, ...about }) => ({
      ...about,
      grants: grants?.map((one) => namedGrant(one, names)),
      documents: counts.get(sharedOwner(about.collectionId)) ?? 0,
      owner: owner === userId ? undefined : ownerName,
      isOwn: owner === userId,
      ofInstallation: owner === undefined,
      createdAt,
    }))
  }
  const shown = async (one: MyCollection, caller: Caller) => (await shownAll([one], caller))[0]!

  server.get(
    '/collections',
    {
      config: access.read,
      schema: {
        summary: 'The collections that the caller may use, by name',
        querystring: pageQuery,
        response: { 200: pageSchema(collectionSchema) },
      },
    },
    async ({ caller, query: { limit, cursor } }) => {
      const { items, ...next } = toPage(afterCursor(await all.of(caller), cursor), limit, namePosition)
      return { items: await shownAll(items, caller), ...next }
    },
  )
  server.post(
    '/collections',
    {
      config: {
        ...access.manage,
        stands: ({ caller }, { collectionId }: { readonly collectionId: string }) => all.find(caller, collectionId),
      },
      schema: {
        summary: 'Create a collection: an own one, or, for admins, one of the installation',
        body: z.strictObject({
          name,
          ofInstallation: z.boolean().optional().describe('For admins. Always true if no accounts exist'),
        }),
        response: { 201: collectionSchema },
      },
    },
    async ({ caller, body }) => {
      const { ofInstallation = caller.kind === 'demo' } = body
      if (ofInstallation && caller.role !== 'admin') {
        throw new TuttiError(
          'NotAllowed',
          'Only an admin may create a collection of the installation. Leave out ofInstallation.',
        )
      }
      const made = await all.create(caller.userId, body.name, ofInstallation ? undefined : caller.userId)
      return await shown(await all.find(caller, made.collectionId), caller)
    },
  )
  server.get(
    '/collections/:collectionId',
    {
      config: access.read,
      schema: { summary: 'A collection with its grants and permissions', params, response: { 200: collectionSchema } },
    },
    async ({ caller, params: { collectionId } }) => shown(await all.find(caller, collectionId), caller),
  )
  server.patch(
    '/collections/:collectionId',
    {
      config: access.manage,
      schema: {
        summary: 'Rename a collection',
        params,
        body: z.strictObject({ name }),
        response: { 200: collectionSchema },
      },
    },
    async ({ caller, params: { collectionId }, body }) => {
      const collection = await all.find(caller, collectionId, 'share')
      await all.rename(caller.userId, collection, body.name)
      return shown(await all.find(caller, collection.collectionId), caller)
    },
  )
  server.delete(
    '/collections/:collectionId',
    {
      config: access.manage,
      schema: { summary: 'Delete a collection and its documents', params, response: noContent },
    },
    async ({ caller, params: { collectionId } }) => shared.remove(caller, collectionId),
  )
  server.get(
    '/collections/:collectionId/documents',
    {
      config: access.read,
      schema: {
        summary: 'Documents of a collection, newest first',
        params,
        querystring: listQuery,
        response: { 200: listSchema },
      },
    },
    async ({ caller, params: { collectionId }, query }) => {
      const collection = await all.find(caller, collectionId)
      const scope = { reader: caller.userId, owners: [sharedOwner(collection.collectionId)] }
      return documentPage(await store.documents(scope), query)
    },
  )
  server.post(
    '/collections/:collectionId/documents',
    {
      config: { ...access.documents, repeated: 'itself', stands: createDocumentFinder(app) },
      schema: {
        consumes: ['multipart/form-data', 'application/json'],
        body: uploadsBody,
        summary: 'Add files; waits until their text is stored, or returns an error per file',
        params,
        response: { 200: uploadedSchema, 201: uploadedSchema },
      },
    },
    async (request, reply) => {
      const find = () => all.find(request.caller, request.params.collectionId, 'edit')
      const scope = sharedOwner((await find()).collectionId)
      const added = await receiveFiles(parts, request, reply, async (files) => {
        // The upload may have taken long. Check again that the collection exists and the caller may edit it.
        const { owner } = await find()
        // The files count towards the quota of the owner; the installation has none.
        const consumer = owner === undefined ? undefined : await app.people.callerOf(owner)
        return addAll(app, consumer, { ingest, owner: scope, files, by: request.caller.userId })
      })
      if (added === undefined) return reply
      void ingest.embedPending(scope).catch((thrown) => onTrouble(toTuttiError(thrown)))
      const { code, items } = uploaded(added)
      return reply.code(code).send({ items })
    },
  )
  server.delete(
    '/collections/:collectionId/documents/:documentId',
    {
      config: access.documents,
      schema: { summary: 'Remove a document and everything derived from it', params: ofDocument, response: noContent },
    },
    async ({ caller, params: { collectionId, documentId } }) => {
      const collection = await all.find(caller, collectionId, 'edit')
      const scope = sharedOwner(collection.collectionId)
      await documentIn(store, scope, documentId)
      await ingest.remove(scope, documentId)
    },
  )
}
