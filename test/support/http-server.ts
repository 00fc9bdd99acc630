import type { AppOptions } from '../../src/app/config/options.ts'
import { createApp } from '../../src/app/create-app.ts'
import type { App } from '../../src/app/user-app.ts'
import { SCOPES, type Caller } from '../../src/domain/caller.ts'
import type { TuttiError } from '../../src/domain/errors.ts'
import type { Authenticate } from '../../src/server/context.ts'
import type { Problem } from '../../src/server/problems.ts'
import { resources } from '../../src/server/resources.ts'
import { startServer } from '../../src/server/server.ts'
import { startModelServer, type ModelServer, type Rule } from './model-server.ts'

/** Tutti over HTTP on a free port. A header names the user. */
export interface HttpWorld {
  readonly app: App
  readonly url: string
  /** Every endpoint, such as `GET /runs/:runId`. */
  readonly routes: readonly string[]
  /** Messages to the operator. */
  readonly trouble: readonly TuttiError[]
  fetch(path: string, options?: Asking): Promise<Response>
  /** The same, and returns the parsed body. */
  json<T = Problem>(path: string, options?: Asking): Promise<T>
  /** The same, and returns the status. */
  status(path: string, options?: Asking): Promise<number>
  close(): Promise<void>
}

export interface Asking extends Omit<RequestInit, 'body'> {
  /** The user of the request. Default: `ada`, a member. Null sends it without a user. */
  readonly as?: string | null
  /** Sent as JSON. */
  readonly json?: unknown
  readonly body?: RequestInit['body']
}

/** Callers by name, with their role, groups and scopes. */
export const PEOPLE: Readonly<Record<string, Caller>> = {
  ada: person('ada', 'member'),
  ben: person('ben', 'member'),
  vera: person('vera', 'viewer'),
  pia: person('pia', 'viewer'),
  root: person('root', 'admin'),
  gus: { ...person('gus', 'member'), groups: ['sales'] },
  gia: { ...person('gia', 'viewer'), groups: ['sales'] },
  ...Object.fromEntries(
    SCOPES.flatMap((scope) => {
      const key = { scopes: [scope], kind: 'key' as const }
      return [
        [`key-${scope}`, { ...person('ada', 'admin'), ...key }],
        [`member-key-${scope}`, { ...person('ada', 'member'), ...key }],
        [`viewer-key-${scope}`, { ...person('vera', 'viewer'), ...key }],
      ]
    }),
  ),
}

function person(userId: string, role: Caller['role']): Caller {
  return { userId, role, groups: [], scopes: SCOPES, kind: 'person' }
}

/** @param authenticateBy authentication instead of the header */
export async function startHttpWorld(
  options: AppOptions = {},
  authenticateBy?: (people: App['people']) => Authenticate,
): Promise<HttpWorld> {
  const trouble: TuttiError[] = []
  const app = await createApp({ onError: (error) => trouble.push(error), ...options })
  const server = await startServer({
    app,
    host: '127.0.0.1',
    port: 0,
    version: '0',
    authenticate: authenticateBy?.(app.people) ?? (async ({ headers }) => PEOPLE[String(headers['x-test-person'])]),
    resources: resources({ version: '0' }),
    ...(options.clock === undefined ? {} : { clock: options.clock }),
    onError: (error) => trouble.push(error),
  })
  const ask: HttpWorld['fetch'] = (path, { as = 'ada', json, headers, ...rest } = {}) =>
    fetch(`${server.url}${path}`, {
      ...rest,
      ...(json === undefined ? {} : { method: 'POST', ...rest, body: JSON.stringify(json) }),
      headers: {
        ...(as === null ? {} : { 'x-test-person': as }),
        ...(json === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
    } as RequestInit)
  return {
    app,
    url: server.url,
    routes: server.routes,
    trouble,
    fetch: ask,
    json: async <T>(path: string, options?: Asking) => (await (await ask(path, options)).json()) as T,
    async status(path, options) {
      const response = await ask(path, options)
      await response.body?.cancel()
      return response.status
    },
    async close() {
      await server.close()
      await app.close()
    },
  }
}

export interface PeopleWorld extends HttpWorld {
  /** Ids of users by name. */
  readonly ids: Readonly<Record<string, string>>
}

/** The same with accounts: the header names one of these users. */
export async function startPeopleWorld(
  roles: Readonly<Record<string, Caller['role']>>,
  options: AppOptions = {},
): Promise<PeopleWorld> {
  const ids: Record<string, string> = {}
  const world = await startHttpWorld(
    options,
    (people) =>
      async ({ headers }) =>
        people.callerOf(ids[String(headers['x-test-person'])] ?? 'nobody'),
  )
  for (const [username, role] of Object.entries(roles)) {
    ids[username] = (await world.app.people.accounts.add('test', { username, role })).userId
  }
  return { ...world, ids }
}

export interface ModelWorld extends HttpWorld {
  readonly models: ModelServer
}

/** The same with a scripted model. */
export async function startModelWorld(rules: readonly Rule[], options: AppOptions = {}): Promise<ModelWorld> {
  const models = await startModelServer(rules)
  const provider = { kind: 'compatible', baseUrl: models.url, defaultModel: 'scripted' } as const
  const world = await startHttpWorld({ ...options, models: { providers: [provider] } })
  return {
    ...world,
    models,
    async close() {
      await world.close()
      await models.close()
    },
  }
}

/** A form with these files, by name. */
export function filesForm(files: Readonly<Record<string, string | Uint8Array<ArrayBuffer>>>): FormData {
  const form = new FormData()
  for (const [name, content] of Object.entries(files)) form.append('file', new Blob([content]), name)
  return form
}
