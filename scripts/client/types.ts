import { createApp } from '../../src/app/create-app.ts'
import { signInLocally } from '../../src/server/access.ts'
import { resources } from '../../src/server/resources.ts'
import { startServer } from '../../src/server/server.ts'

interface Schema {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly description?: string
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly anyOf?: readonly Schema[]
  readonly oneOf?: readonly Schema[]
  readonly allOf?: readonly Schema[]
  readonly items?: Schema
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly additionalProperties?: boolean | Schema
}

interface Parameter {
  readonly in: string
  readonly name: string
  readonly required?: boolean
  readonly schema: Schema
}

type Content = Readonly<Record<string, { readonly schema?: Schema }>>

interface Operation {
  readonly summary?: string
  readonly parameters?: readonly Parameter[]
  readonly requestBody?: { readonly required?: boolean; readonly content: Content }
  readonly responses: Readonly<Record<string, { readonly content?: Content }>>
}

interface Document {
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> }
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
}

/** The text of src/client/api-types.ts: what the server that is in `src/` says that it takes and gives. */
export async function clientTypes(): Promise<string> {
  const { components, paths } = await describedByServer()
  // Each schema is there twice, as it is sent and as it is answered; what is sent unchanged, or never, is left out.
  const all = new Map(Object.entries(components.schemas))
  const sent = new Set(JSON.stringify(paths).match(/(?<=schemas\/)\w+Input(?=")/g))
  // In no order of theirs, which is that in which modules were loaded.
  const schemas = [...all]
    .filter(([name]) => !name.endsWith('Input') || sent.has(name))
    .sort(([a], [b]) => (a < b ? -1 : 1))
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => operationType(`${method.toUpperCase()} ${path}`, operation)),
  )
  return [
    '// Made from the OpenAPI document of the server by `npm run client`.',
    '',
    '/** Types of the API, by the names of its OpenAPI document. */',
    'export interface Schemas {',
    ...schemas.map(([name, schema]) => `${commentOf(schema.description)}readonly ${name}: ${typeOf(schema)}`),
    '}',
    '',
    '/** Parameters and response of each operation; `undefined` for a part that it does not have. */',
    'export interface Operations {',
    ...operations,
    '}',
    '',
  ].join('\n')
}

async function describedByServer(): Promise<Document> {
  const app = await createApp()
  const server = await startServer({
    app,
    host: '127.0.0.1',
    port: 0,
    version: '0',
    authenticate: signInLocally,
    resources: resources({ version: '0' }),
    onError: (error) => {
      throw error
    },
  })
  try {
    return (await (await fetch(`${server.url}/openapi.json`)).json()) as Document
  } finally {
    await server.close()
    await app.close()
  }
}

function operationType(name: string, { summary, parameters = [], requestBody, responses }: Operation): string {
  const named = (place: string): string => {
    const found = parameters.filter((parameter) => parameter.in === place)
    if (found.length === 0) return 'undefined'
    const fields = objectOf(found.map(({ name, required = false, schema }) => ({ name, required, schema })))
    return found.some(({ required }) => required) ? fields : `${fields} | undefined`
  }
  const body = requestBody === undefined ? 'undefined' : bodyOf(requestBody)
  return `${commentOf(summary)}readonly ${JSON.stringify(name)}: {
    readonly path: ${named('path')}
    readonly query: ${named('query')}
    readonly body: ${body}
    readonly answer: ${answerOf(responses)}
  }`
}

function bodyOf({ required = false, content }: NonNullable<Operation['requestBody']>): string {
  const schema = content['application/json']?.schema
  const type = schema === undefined ? 'FormData' : typeOf(schema)
  return required || schema === undefined ? type : `${type} | undefined`
}

/** Of several that mean success they are one of these; what is no JSON is text. */
function answerOf(responses: Operation['responses']): string {
  const good = Object.entries(responses).filter(([status]) => status.startsWith('2'))
  const types = good.map(([, { content }]) => {
    const schema = content?.['application/json']?.schema
    const other = Object.keys(content ?? {}).some((type) => type !== 'application/json') ? ['string'] : []
    return [...(schema === undefined ? [] : [typeOf(schema)]), ...other].join(' | ') || 'undefined'
  })
  return types.length === 0 ? 'unknown' : [...new Set(types)].join(' | ')
}

function typeOf(schema: Schema): string {
  const { $ref, anyOf, oneOf, allOf, items, properties } = schema
  if ($ref !== undefined) return `Schemas[${JSON.stringify($ref.slice($ref.lastIndexOf('/') + 1))}]`
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  if (schema.enum !== undefined) return schema.enum.map((value) => JSON.stringify(value)).join(' | ')
  if (allOf !== undefined) return allOf.map(typeOf).join(' & ')
  const either = anyOf ?? oneOf
  if (either !== undefined) return [...new Set(either.map((one) => `(${typeOf(one)})`))].join(' | ')
  if (Array.isArray(schema.type)) return schema.type.map((type: string) => typeOf({ ...schema, type })).join(' | ')
  if (schema.type === 'array') return `readonly (${items === undefined ? 'unknown' : typeOf(items)})[]`
  if (schema.type === 'object') {
    if (properties !== undefined) {
      const fields = Object.entries(properties)
      return objectOf(
        fields.map(([name, inner]) => ({ name, required: schema.required?.includes(name) === true, schema: inner })),
        schema.additionalProperties !== undefined && schema.additionalProperties !== false,
      )
    }
    const values = schema.additionalProperties
    return `Readonly<Record<string, ${typeof values === 'object' && Object.keys(values).length > 0 ? typeOf(values) : 'unknown'}>>`
  }
  return SIMPLE[schema.type as string] ?? 'unknown'
}

const SIMPLE: Readonly<Record<string, string>> = {
  string: 'string',
  number: 'number',
  integer: 'number',
  boolean: 'boolean',
  null: 'null',
}

function objectOf(fields: readonly { name: string; required: boolean; schema: Schema }[], hasMore = false): string {
  const lines = fields.map(
    ({ name, required, schema }) =>
      `${commentOf(schema.description)}readonly ${/^\w+$/.test(name) ? name : JSON.stringify(name)}${required ? '' : '?'}: ${typeOf(schema)}`,
  )
  if (hasMore) lines.push('readonly [more: string]: unknown')
  return lines.length === 0 ? 'Readonly<Record<string, never>>' : `{\n${lines.join('\n')}\n}`
}

function commentOf(description: string | undefined): string {
  return description === undefined ? '' : `/** ${description.replaceAll('*/', '* /')} */\n`
}
