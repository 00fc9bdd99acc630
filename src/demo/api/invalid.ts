import { z } from 'zod'
import { Problem } from './problem.ts'

/** The response to invalid input: each error with the name of its field. */
export function invalid(code: 'invalid_parameter' | 'invalid_body', schema: z.ZodType, error: z.ZodError): Problem {
  const faults = error.issues.map((issue) => {
    if (issue.code === 'unrecognized_keys') {
      return { name: issue.keys[0]!, message: `is not known here; ${known(schema)}` }
    }
    return { name: issue.path.join('.'), message: issue.message }
  })
  const first = faults.find(({ name }) => name !== '')
  const message = faults.map(({ name, message }) => `${name === '' ? 'The body' : name}: ${message}`).join('; ')
  return new Problem(code, `${message}.`, first === undefined ? {} : { parameter: first.name })
}

function known(schema: z.ZodType): string {
  const names = schema instanceof z.ZodObject ? Object.keys(schema.shape) : []
  return names.length === 0 ? 'nothing is taken' : `what is known: ${names.join(', ')}`
}
