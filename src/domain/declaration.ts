import { z } from 'zod'
import { TuttiError } from './errors.ts'
import { nearest } from '../shared/nearest.ts'
import { AUTHORS, type Provenance } from './provenance.ts'
import { problemTexts } from './schema-problems.ts'

const isFunction = (value: unknown): boolean => typeof value === 'function'
const provenanceSchema = z.object({
  author: z.enum(AUTHORS),
  private: z.boolean(),
  sources: z.array(z.string()),
  outside: z.array(z.string()).optional(),
})
const PROVENANCE = 'BY_USER, ownData(…), outsideData(…) or publicData(…)'

/** Fields of declarations, which may be plain JavaScript. Values with behaviour are passed through unchanged. */
export const field = {
  text: z.string().min(1),
  texts: z.array(z.string()),
  list: z.array(z.unknown()),
  flag: z.boolean(),
  object: z.custom((value) => typeof value === 'object' && value !== null, 'must be an object'),
  function: z.custom(isFunction, 'must be a function'),
  schema: z.custom(
    (value) => typeof value === 'object' && value !== null && 'safeParse' in value,
    'must be a zod schema',
  ),
  provenance: z.custom(isProvenance, `must be ${PROVENANCE}`),
  provenanceOrFunction: z.custom(
    (value) => isFunction(value) || isProvenance(value),
    `must be ${PROVENANCE}, or a function that returns one`,
  ),
}

/** Whether it has the shape of `ownData`, `outsideData`, `publicData` or `BY_USER`. */
export function isProvenance(value: unknown): value is Provenance {
  return provenanceSchema.safeParse(value).success
}

/**
 * Validates a declaration. Without it, mistakes in plain JavaScript would surface in the middle of a run.
 * @throws TuttiError `ConfigurationError` naming the first invalid field and its requirement
 */
export function assertDeclared(kind: string, value: object, schema: z.ZodObject): void {
  const problem = fieldProblem(value, schema)
  if (problem === undefined) return
  const name = 'name' in value ? ` "${String(value.name)}"` : ''
  throw new TuttiError('ConfigurationError', `The ${kind}${name} is not valid: ${problem}.`)
}

/** The first invalid field of an object and its requirement, as a clause; undefined if all are valid. */
export function fieldProblem(value: object, schema: z.ZodObject): string | undefined {
  const known = Object.keys(schema.shape)
  for (const name of Object.keys(value)) {
    const near = known.includes(name) ? undefined : nearest(name, known)
    if (near !== undefined && !(near in value)) return `there is no field "${name}"; did you mean "${near}"?`
  }
  // A declaration is checked once: compiling the schema would take longer.
  const parsed = schema.safeParse(value, { jitless: true })
  return parsed.success ? undefined : problemTexts(parsed.error, 'declaration')[0]
}
