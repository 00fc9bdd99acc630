import { z } from 'zod'
import { TuttiError } from '../../../domain/errors.ts'
import { problemTexts } from '../../../domain/schema-problems.ts'
import { effectOf, METHODS, paramOf, asText, withoutSignIn } from './parts.ts'
import type { Catalogue, Endpoint, Param, SecurityScheme } from './types.ts'

/**
 * Tutti's own, short form of a catalogue: endpoints and snippets of documentation. Placeholders may be written `:id` or `{id}`.
 */
const param = z.object({
  name: z.string().min(1),
  in: z.enum(['path', 'query', 'header', 'cookie']).optional(),
  required: z.boolean().optional(),
  description: z.string().optional(),
  type: z.string().optional(),
  format: z.string().optional(),
  enum: z.array(z.union([z.string(), z.number(), z.boolean()])).optional(),
  default: z.unknown().optional(),
})

const endpoint = z.object({
  method: z
    .string()
    .transform((method) => method.toUpperCase())
    .pipe(z.enum(METHODS)),
  path: z.string().startsWith('/', 'must begin with "/"'),
  summary: z.string().optional(),
  description: z.string().optional(),
  tags: z.array(z.string()).default([]),
  params: z.array(param).default([]),
  /** JSON Schema of the body. */
  body: z.record(z.string(), z.unknown()).optional(),
  effect: z.enum(['read', 'irreversible']).optional(),
  'x-tutti-effect': z.enum(['read', 'irreversible']).optional(),
  /** Names of sign-ins, any of which is enough; by default those of the catalogue. */
  auth: z.array(z.string()).optional(),
})

const auth = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('bearer') }),
  z.object({ kind: z.literal('basic') }),
  z.object({ kind: z.literal('apiKey'), in: z.enum(['header', 'query', 'cookie']), name: z.string().min(1) }),
])

const catalogue = z.object({
  name: z.string().optional(),
  description: z.string().optional(),
  base_url: z.string().optional(),
  baseUrl: z.string().optional(),
  auth: z.record(z.string(), auth).default({}),
  endpoints: z.array(endpoint).min(1, 'must hold at least one endpoint'),
  docs: z.array(z.object({ title: z.string().default(''), text: z.string().min(1) })).default([]),
})

/** @throws TuttiError `ConfigurationError` naming each field that is wrong */
export function yamlCatalogue(document: unknown, name: string): Catalogue {
  const parsed = catalogue.safeParse(document)
  if (!parsed.success) {
    const issues = problemTexts(parsed.error, 'the whole')
    throw new TuttiError(
      'ConfigurationError',
      `${name} is not a catalogue of endpoints: ${issues.slice(0, 5).join('; ')}.`,
    )
  }
  const { description = '', base_url: seedUrl, baseUrl = seedUrl, auth: schemes, endpoints, docs } = parsed.data
  return {
    name,
    description,
    servers: baseUrl === undefined ? [] : [baseUrl],
    securitySchemes: schemes satisfies Readonly<Record<string, SecurityScheme>>,
    endpoints: endpoints.map((entry) => endpointOf(entry, schemes)),
    snippets: docs,
  }
}

function endpointOf(entry: z.output<typeof endpoint>, schemes: Readonly<Record<string, SecurityScheme>>): Endpoint {
  const path = entry.path.replace(/:([A-Za-z_]\w*)/g, '{$1}')
  const inPath = [...path.matchAll(/\{([^{}]+)\}/g)].map(([, placeholder]) => placeholder!)
  const declared = entry.params.map(({ in: place, type, format, enum: values, default: preset, ...rest }) => {
    const where = place ?? (inPath.includes(rest.name) ? 'path' : 'query')
    return paramOf({ ...rest, in: where }, { type, format, enum: values, default: preset })
  })
  const undeclared = inPath.filter((name) => !entry.params.some((given) => given.name === name))
  const params = [...declared, ...undeclared.map((name) => paramOf({ name, in: 'path' }, { type: 'string' }))]
  const { body } = entry
  return {
    method: entry.method,
    path,
    operationId: '',
    summary: asText(entry.summary),
    description: asText(entry.description),
    tags: entry.tags,
    ...withoutSignIn(
      params.filter((found): found is Param => found !== undefined),
      (entry.auth ?? Object.keys(schemes)).map((scheme) => [scheme]),
      schemes,
    ),
    body: () => (body === undefined ? undefined : { required: true, mediaType: 'application/json', schema: body }),
    effect: effectOf(entry.method, entry.effect ?? entry['x-tutti-effect']),
  }
}
