import type { FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { App } from '../../app/user-app.ts'
import { toTuttiError, TuttiError } from '../../domain/errors.ts'
import { CONNECTABLE, type ConnectionFile } from '../../app/connections/connection-file.ts'
import { storedBy, type ConnectLimits } from '../../app/connections/connect-limits.ts'
import { assertWorks, testConnection } from '../../app/connections/test-connection.ts'
import { isLocalRequest } from '../access.ts'
import type { Resource } from '../context.ts'
import { id, time } from '../schemas.ts'
import { connectionViews, KINDS, sourceSchema } from './connection-views.ts'

/** Parts of a server whose sources can be connected on a page. */
export interface SetupDesk {
  readonly file: ConnectionFile
  /** Base of relative paths. */
  readonly cwd: string
  readonly dataDir: string
  /** Internal hosts that the operator allows. */
  readonly allowHosts: readonly string[]
  /** Whether it listens on a loopback address only. */
  readonly isAlone: boolean
  /** Whether it uses the sources of the demo. */
  readonly isDemo: boolean
  /** Whether the mailbox is set by environment variables. */
  readonly hasMailInEnvironment: boolean
  /** Reads the configuration file again. @throws TuttiError `ConfigurationError` */
  readConfiguration(): Promise<void>
  /** Reopens all sources with the current connections. */
  restart(): void
}

const NOTHING_CHANGED = 'Fix this first; nothing was changed.'
const connectionsSchema = z.object({
  closed: z.string().optional().describe('Why nothing can be connected from here'),
  since: time.describe('When the present connections were opened'),
  items: z.array(sourceSchema).readonly(),
})
const triedSchema = z
  .object({
    ok: z.boolean(),
    message: z.string().describe('The result of the test, or why it cannot be used'),
    latencyMs: z.number(),
    protections: z
      .object({
        standing: z.array(z.string()).readonly(),
        weak: z.array(z.string()).readonly(),
        advice: z.array(z.string()).readonly(),
      })
      .optional()
      .describe('Databases: the protections between a query and forbidden operations'),
    abilities: z
      .object({
        streaming: z.boolean(),
        tools: z.boolean(),
        parallelTools: z.boolean(),
        structuredOutput: z.boolean(),
      })
      .optional()
      .describe('Models: the abilities that the test found'),
  })
  .meta({ id: 'Tried' })
const tryable = z.discriminatedUnion('kind', [
  CONNECTABLE.model.extend({ kind: z.literal('model') }),
  CONNECTABLE.database.extend({ kind: z.literal('database') }),
  CONNECTABLE.mailbox.extend({ kind: z.literal('mailbox') }),
])

/**
 * Connects models, databases and the mailbox on a page. Each is tested, stored separately from the configuration, and
 * used immediately.
 */
export function setup(desk: SetupDesk | undefined): Resource {
  return async (routes, { app, clock }) => {
    const since = clock.now()
    const change = createChangeQueue(() => desk?.restart())
    routes.get(
      '/setup',
      { access: 'admin', summary: 'The connections, and where each is configured', response: connectionsSchema },
      async (asking) => {
        const closed = closedReason(asking, app, desk)?.message
        return { since, items: await connectionViews(app, desk), closed }
      },
    )
    routes.post(
      '/setup/try',
      {
        access: 'admin',
        summary: 'Test a model, a database or a mailbox without storing it',
        body: tryable,
        response: triedSchema,
      },
      async (asking) => {
        const limits = limitsOf(asking, app, requireDesk(asking, app, desk))
        const { kind, ...entry } = asking.body
        return testConnection(kind, entry as never, limits)
      },
    )
    for (const kind of KINDS) {
      routes.put(
        `/setup/${kind}`,
        {
          access: 'admin',
          summary: `Connect this ${kind} after a successful test; the server reopens all sources`,
          body: CONNECTABLE[kind] as z.ZodType,
          response: triedSchema,
          errorHandler: addNothingStored,
        },
        async (request, reply) => {
          const open = requireDesk(request, app, desk)
          const entry = request.body as never
          const name = kind === 'database' ? (entry as { name: string }).name : kind
          return change(reply, async () => {
            if (kind === 'database') await assertFree(name, app, open)
            const limits = limitsOf(request, app, open)
            const tried = await testConnection(kind, entry, limits)
            assertWorks(tried)
            await assertReadable(open)
            await open.file.keep(kind, storedBy(entry, limits))
            await app.people.recordAudit({
              by: request.caller.userId,
              action: 'connect source',
              target: `${kind}:${name}`,
            })
            return tried
          })
        },
      )
    }
    routes.delete(
      '/setup/:kind/:source',
      {
        access: 'admin',
        summary: 'Remove a connection that was made on the page; the server reopens all sources',
        params: z.object({ kind: z.enum(KINDS), source: id }),
      },
      async (request, reply) => {
        const open = requireDesk(request, app, desk)
        const { kind, source } = request.params
        await change(reply, async () => {
          await assertReadable(open)
          await open.file.remove(kind, source)
          await app.people.recordAudit({
            by: request.caller.userId,
            action: 'disconnect source',
            target: `${kind}:${source}`,
          })
        })
      },
    )
  }
}

/** Why this request may not connect sources. Connecting opens files and addresses of this machine. */
function closedReason(request: FastifyRequest, { config }: App, desk: SetupDesk | undefined): TuttiError | undefined {
  if (desk === undefined)
    return new TuttiError('InvalidRequest', 'The connections of this server are set by its program.')
  const { setup: isAllowed, trustProxy } = config.server
  if (isAllowed || (desk.isAlone && trustProxy.length === 0 && isLocalRequest(request))) return undefined
  const message =
    'Sources can only be connected on the server’s own machine, since that opens files and addresses there. Open it at 127.0.0.1 there, or set "server": { "setup": true } in the configuration.'
  return new TuttiError('NotAllowed', message)
}

function requireDesk(request: FastifyRequest, app: App, desk: SetupDesk | undefined): SetupDesk {
  const closed = closedReason(request, app, desk)
  if (closed !== undefined) throw closed
  return desk!
}

/** While no accounts exist, requests come from the operator at this machine. An admin with an account is not the operator. */
function limitsOf({ caller }: FastifyRequest, { config }: App, { cwd, dataDir, allowHosts }: SetupDesk): ConnectLimits {
  const isOperator = caller.kind === 'demo'
  const admin = { folders: config.server.databaseFolders, hosts: allowHosts }
  return { cwd, dataDir, ...(isOperator ? {} : { admin }) }
}

/** Adds to an error of the input that nothing was stored. */
function addNothingStored(thrown: unknown): never {
  const { code, message, details } = toTuttiError(thrown)
  if (code !== 'InvalidRequest' || message.endsWith(NOTHING_CHANGED)) throw thrown
  throw new TuttiError(code, `${message} Nothing was kept.`, {
    cause: thrown,
    ...(details === undefined ? {} : { details }),
  })
}

async function assertFree(name: string, app: App, { file, isDemo }: SetupDesk): Promise<void> {
  const { databases } = await file.read()
  const isTaken = !isDemo && app.databases.some((one) => one.name === name)
  if (isTaken && !databases.some((one) => one.name === name))
    throw new TuttiError('InvalidRequest', `The configuration has a database ${name} already; choose another name.`)
}

/**
 * Checks the configuration first: sources are not closed if they could not be reopened.
 * @throws TuttiError `InvalidRequest`, for admins, with the problem
 */
async function assertReadable({ readConfiguration }: SetupDesk): Promise<void> {
  await readConfiguration().catch((thrown: unknown) => {
    throw new TuttiError('InvalidRequest', `${toTuttiError(thrown).message} ${NOTHING_CHANGED}`)
  })
}

/**
 * Serialises changes of connections, so that none is lost. Sources are reopened after the last pending change, once its
 * response was sent.
 */
function createChangeQueue(restart: () => void) {
  let last: Promise<unknown> = Promise.resolve()
  let open = 0
  let isChanged = false
  return async <T>(reply: FastifyReply, make: () => Promise<T>): Promise<T> => {
    open++
    reply.header('connection', 'close')
    const isHeard = new Promise<void>((resolve) => reply.raw.once('close', resolve))
    const made = last.then(make)
    const ownTurn = made.then(
      () => (isChanged = true),
      () => undefined,
    )
    last = ownTurn
    const settle = async (): Promise<void> => {
      await Promise.all([ownTurn, isHeard])
      open--
      if (open === 0 && isChanged) restart()
    }
    void settle()
    return made
  }
}
