import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parse } from 'yaml'

type Schema = Readonly<Record<string, unknown>>

interface Parameter {
  readonly name: string
  readonly in: 'path' | 'query' | 'header'
  readonly required: boolean
  readonly schema: Schema
}

/** The parts of the OpenAPI document that the server uses. */
interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<'get' | 'post', DescribedOperation | undefined>>>>
}

interface DescribedOperation {
  readonly operationId: string
  readonly security: readonly [Readonly<Record<string, unknown>>]
  readonly parameters?: readonly (Parameter | Reference)[]
  readonly requestBody?: {
    readonly required: boolean
    readonly content: Readonly<Record<string, { schema: Reference }>>
  }
}

interface Reference {
  readonly $ref: string
}

export interface Operation {
  readonly method: 'GET' | 'POST'
  /** In the format of Fastify, such as `/orders/:orderId`. */
  readonly url: string
  readonly operationId: string
  readonly isBearer: boolean
  readonly schema: {
    readonly params: Schema
    readonly querystring: Schema
    readonly headers: Schema
    readonly body?: Schema
  }
}

/** Reads the OpenAPI document of the demo API, which also defines what the server accepts. */
export async function readApiDocument(): Promise<{
  readonly document: object
  readonly operations: readonly Operation[]
}> {
  const document = parse(await readFile(join(import.meta.dirname, 'brindlemoor-api.yaml'), 'utf8')) as Document
  const operations = Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, described]) => operationOf(document, path, method, described!)),
  )
  return { document, operations }
}

function operationOf(document: Document, path: string, method: string, described: DescribedOperation): Operation {
  const { operationId, security, requestBody } = described
  const parameters = (described.parameters ?? []).map((one) => ('$ref' in one ? find<Parameter>(document, one) : one))
  const body = requestBody && find<Schema>(document, requestBody.content['application/json']!.schema)
  return {
    method: method === 'get' ? 'GET' : 'POST',
    url: path.replaceAll(/\{(\w+)\}/g, ':$1'),
    operationId,
    isBearer: 'bearer' in security[0],
    schema: {
      params: schemaOf(parameters, 'path'),
      querystring: schemaOf(parameters, 'query'),
      headers: { ...schemaOf(parameters, 'header'), additionalProperties: true },
      ...(body && { body: requestBody.required ? body : { anyOf: [body, { type: 'null' }] } }),
    },
  }
}

function schemaOf(parameters: readonly Parameter[], place: Parameter['in']): Schema {
  const here = parameters.filter((one) => one.in === place)
  return {
    type: 'object',
    // Node.js gives the names of headers in lower case.
    properties: Object.fromEntries(
      here.map(({ name, schema }) => [place === 'header' ? name.toLowerCase() : name, schema]),
    ),
    additionalProperties: false,
  }
}

/** Resolves a reference such as `#/components/schemas/NewTicket`. */
function find<T>(document: Document, { $ref }: Reference): T {
  const names = $ref.split('/').slice(1)
  return names.reduce<unknown>((part, name) => (part as Readonly<Record<string, unknown>>)[name], document) as T
}
