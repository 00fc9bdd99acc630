import { readResponseBody, sendRequest, type Connection } from './api.ts'
import type { Operations } from './api-types.ts'

type Operation = keyof Operations
type Part = 'path' | 'query' | 'body'
type Absent<O extends Operation> = { [K in Part]: Operations[O][K] extends undefined ? K : never }[Part]
type Optional<O extends Operation> = { [K in Part]: undefined extends Operations[O][K] ? K : never }[Part]

/** Arguments of an operation: path parameters, query and body, as far as it has them. */
export type Given<O extends Operation> = Omit<Operations[O], Optional<O> | 'answer'> & {
  [K in Exclude<Optional<O>, Absent<O>>]?: Operations[O][K]
} & { readonly signal?: AbortSignal; readonly headers?: Readonly<Record<string, string>> }

type Arguments<O extends Operation, G = Given<O>> = Record<never, never> extends G ? [given?: G] : [given: G]

/** Tutti's HTTP API (docs/http-api.md), with the types of the OpenAPI document. */
export interface Client {
  /**
   * Calls an operation, named by method and path as in `/openapi.json`.
   * @throws ApiError for an error response; `TypeError`, as `fetch` does, if the server cannot be reached, and for a
   * parameter that would change the path
   */
  call<O extends Operation>(operation: O, ...given: Arguments<O>): Promise<Operations[O]['answer']>
}

/** Creates a client for a Tutti server, in Node.js or a browser. */
export function createClient(connection: Connection): Client {
  return {
    async call(operation, ...[given = {}]) {
      return send(connection, operation, given as Loose)
    },
  }
}

async function send<O extends Operation>(connection: Connection, operation: O, given: Loose) {
  const { body, signal, headers } = given
  const sent = {
    ...(body === undefined ? {} : { body }),
    ...(signal === undefined ? {} : { signal }),
    ...(headers === undefined ? {} : { headers }),
  }
  const [method, place] = addressOf(operation, given)
  return (await readResponseBody(await sendRequest(connection, method, place, sent))) as Operations[O]['answer']
}

function addressOf(operation: Operation, { path = {}, query = {} }: Loose): readonly [method: string, place: string] {
  const [method, template] = operation.split(' ') as [string, string]
  const place = template.replaceAll(/\{(\w+)\}/g, (_, name: string) => partOf(name, path[name]))
  const asked = new URLSearchParams(
    Object.entries(query).flatMap(([name, value]) =>
      value === undefined ? [] : [value].flat().map((one): [string, string] => [name, String(one)]),
    ),
  ).toString()
  return [method, asked === '' ? place : `${place}?${asked}`]
}

/** Rejects `.`, `..` and empty values: they would change the path. */
function partOf(name: string, value: unknown): string {
  const part = String(value ?? '')
  if (/^\.{0,2}$/.test(part)) throw new TypeError(`The path needs a ${name}; "${part}" is none.`)
  return encodeURIComponent(part)
}

interface Loose {
  readonly path?: Readonly<Record<string, unknown>>
  readonly query?: Readonly<Record<string, unknown>>
  readonly body?: unknown
  readonly signal?: AbortSignal
  readonly headers?: Readonly<Record<string, string>>
}
