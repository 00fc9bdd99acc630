import type { z } from 'zod'

/** A problem of a value, and its path. */
export interface SchemaProblem {
  readonly path: readonly PropertyKey[]
  readonly message: string
}

/** All problems of a value, in the words of its schema; one per unknown field. */
export function problemsIn({ issues }: { readonly issues: readonly z.core.$ZodIssue[] }): SchemaProblem[] {
  return issues.flatMap((issue) => {
    if (issue.code === 'unrecognized_keys')
      return issue.keys.map((key) => ({ path: [...issue.path, key], message: 'unknown field' }))
    const [closest] = issue.code === 'invalid_union' ? issue.errors.toSorted((a, b) => distance(a) - distance(b)) : []
    if (closest === undefined) return [{ path: issue.path, message: issue.message }]
    return problemsIn({ issues: closest }).map(({ path, message }) => ({ path: [...issue.path, ...path], message }))
  })
}

/** How far a value is from a branch of a union: the number of problems, if it has the type of the branch. */
function distance(issues: readonly z.core.$ZodIssue[]): number {
  return issues.some(({ code, path }) => code === 'invalid_type' && path.length === 0) ? Infinity : issues.length
}

/** The same as texts. @param whole the name of a problem's place if it is the value itself */
export function problemTexts(error: z.ZodError, whole: string): string[] {
  return problemsIn(error).map(({ path, message }) => `${path.map(String).join('.') || whole}: ${message}`)
}
