import { z } from 'zod'
import type { Route, Tag } from './route.ts'
import { ROUTES } from './routes/index.ts'
import { SCHEMAS } from './schemas.ts'
import { TODAY } from './views.ts'

type Json = Readonly<Record<string, unknown>>

const MEANINGS: Readonly<Record<number, string>> = {
  400: 'A parameter or the body is wrong; the answer says which',
  401: 'The key is missing or wrong',
  404: 'There is nothing with this number',
  409: 'Not possible in the state that it is in',
  413: 'The body is too long',
  415: 'The body is not JSON',
  421: 'Sent to another name than localhost',
  422: 'The Idempotency-Key was used for another request',
  500: 'The server failed',
}

const TAGS: Readonly<Record<Tag, string>> = {
  Orders: 'What customers order. An order is open, then shipped, then delivered; an open one can be cancelled.',
  Customers: 'Cafés, restaurants, hotels, offices and shops in seven countries, with the people to write to.',
  Products: 'Coffee, equipment and supplies, with price and stock.',
  Invoices: 'Each order is billed on the day it is sent. An invoice may be paid in two parts.',
  Shipments: 'Each order is sent as one shipment.',
  Support: 'Complaints and questions of customers.',
}

const DESCRIPTION = `Orders, customers, products, invoices, shipments and support tickets of Brindlemoor Coffee, an
invented firm, for trying things out. Amounts are in euros. Today is ${TODAY}, the day on which the books end.

Lists come in pages: \`page\` counts from 1, \`limit\` is the number of records a page, 100 at most. \`pagination\` tells how
many records there are on all pages together, and \`next\` holds the path and query of the next page until the last one.

Sign in with the key in the header \`X-Api-Key\`; invoices want the same key as a bearer token instead. What is changed
through the API is kept beside the database, which stays as it is. A POST that carries an \`Idempotency-Key\` is done
once, however often it is sent.`

/**
 * Describes the demo API in OpenAPI 3.1. It is made from the same operations and schemas that the server works with.
 * @param baseUrl where the API is served, such as `http://127.0.0.1:7460`
 * @see https://spec.openapis.org/oas/v3.1.1.html
 */
export function demoOpenApi(baseUrl: string): Json {
  return {
    openapi: '3.1.0',
    info: {
      title: 'Brindlemoor Coffee',
      version: '1.0.0',
      summary: 'The books of a demo business',
      description: DESCRIPTION,
    },
    servers: [{ url: baseUrl }],
    tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
    security: [{ apiKey: [] }],
    paths: pathsOf(ROUTES),
    components: {
      securitySchemes: {
        apiKey: {
          type: 'apiKey',
          in: 'header',
          name: 'X-Api-Key',
          description: 'The key that the server was started with',
        },
        bearer: { type: 'http', scheme: 'bearer', description: 'The same key, as a bearer token' },
      },
      schemas: componentSchemas(),
    },
  }
}

function pathsOf(routes: readonly Route[]): Json {
  const paths: Record<string, Record<string, Json>> = {}
  for (const route of routes) (paths[route.path] ??= {})[route.method.toLowerCase()] = operationOf(route)
  return paths
}

function operationOf(route: Route): Json {
  const { operationId, summary, description, tag, signIn, method, params, query, body, status, refusals, reply } = route
  const parameters = [
    ...parametersOf('path', params),
    ...parametersOf('query', query),
    ...(method === 'POST' ? [IDEMPOTENCY_KEY] : []),
  ]
  return {
    operationId,
    summary,
    description,
    tags: [tag],
    security: [{ [signIn]: [] }],
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(method === 'GET' ? {} : { requestBody: requestBodyOf(body) }),
    responses: {
      [status]: { description: status === 201 ? 'Made' : 'Done', content: jsonContent(reply) },
      ...Object.fromEntries(errorStatuses(method, refusals).map((error) => [error, errorResponse(error)])),
    },
  }
}

const IDEMPOTENCY_KEY: Json = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description:
    'Any text of up to 200 visible characters. A request with a key that was used before is answered as then, and not done again.',
  schema: { type: 'string', minLength: 1, maxLength: 200, pattern: '^[!-~]+$' },
}

/** The example is next to the schema, where more tools show it. */
function parametersOf(place: 'path' | 'query', schema: z.ZodObject): Json[] {
  return Object.entries(schema.shape).map(([name, field]) => {
    const { description, examples, ...type } = jsonSchema(field as z.ZodType, 'output')
    const example = Array.isArray(examples) ? { example: examples[0] as unknown } : {}
    return { name, in: place, required: place === 'path', description, ...example, schema: type }
  })
}

function requestBodyOf(body: z.ZodType): Json {
  const isRequired = !body.safeParse(undefined).success
  const named = body instanceof z.ZodOptional ? (body.unwrap() as z.ZodType) : body
  return { required: isRequired, content: jsonContent(named) }
}

function jsonContent(schema: z.ZodType): Json {
  return { 'application/json': { schema: { $ref: refTo(nameOf(schema)) } } }
}

/** What any operation may answer, what those with a body may, and its own refusals. */
function errorStatuses(method: Route['method'], refusals: Route['refusals']): number[] {
  const withBody = method === 'POST' ? [413, 415, 422] : []
  return [400, 401, 421, 500, ...withBody, ...refusals].sort((a, b) => a - b)
}

function errorResponse(status: number): Json {
  return { description: MEANINGS[status], content: jsonContent(SCHEMAS.Error) }
}

/** References lead from one named schema to another; bodies of requests are described as they are sent. */
function componentSchemas(): Json {
  const registry = z.registry<{ id: string }>()
  for (const [id, schema] of Object.entries(SCHEMAS)) registry.add(schema, { id })
  const made = (io: 'input' | 'output') => z.toJSONSchema(registry, { io, uri: refTo, override: tidy }).schemas
  const [inputs, outputs] = [made('input'), made('output')]
  const isSent = (id: string) => id === 'NewTicket' || id === 'Cancellation'
  return Object.fromEntries(
    Object.keys(SCHEMAS).map((id) => {
      const { $schema: _schema, $id: _id, ...schema } = (isSent(id) ? inputs : outputs)[id]!
      return [id, schema]
    }),
  )
}

function jsonSchema(schema: z.ZodType, io: 'input' | 'output'): Json {
  const { $schema: _schema, ...json } = z.toJSONSchema(schema, { io, override: tidy })
  return json
}

/** Takes out what zod adds for JavaScript: the bounds of safe integers, and patterns that repeat a format. */
function tidy({ jsonSchema }: { readonly jsonSchema: z.core.JSONSchema.BaseSchema }): void {
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum
  if (jsonSchema.format === 'date' || jsonSchema.format === 'date-time') delete jsonSchema.pattern
}

function nameOf(schema: z.ZodType): string {
  const found = Object.entries(SCHEMAS).find(([, known]) => known === schema)
  if (found === undefined) throw new Error('A schema of an operation is missing in SCHEMAS of src/demo/api/schemas.ts.')
  return found[0]
}

function refTo(id: string): string {
  return `#/components/schemas/${id}`
}
