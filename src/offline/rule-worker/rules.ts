import { compute } from '../calculator/compute.ts'
import { exampleQuestions } from '../conversation/example-questions.ts'
import { readMailRequest } from '../mail/read-request.ts'
import { isUnderstoodBySql, linkQuestion } from '../sql/link.ts'
import type { Linked, LinkOptions } from '../sql/types.ts'
import type { DatabaseSchema } from '../../databases/schema.ts'
import type { Place, ValueHit } from '../../databases/glossary/value-lookup.ts'

/** Rules that read what a user wrote. Their parameters and results are data, so that `runRule` can run them in a thread. */
export const RULES = { mail: readMailRequest, compute, fits: isUnderstoodBySql, link, suggest: exampleQuestions }

export type Rules = typeof RULES

/** A look-up in the database that `link` needs before it can continue. */
export type LookUp = { readonly terms: readonly string[]; readonly columns: readonly Place[] }

export interface LinkInput extends Omit<LinkOptions, 'lookup'> {
  /** The result of the look-up. */
  readonly found?: readonly (readonly ValueHit[])[]
}

/** `linkQuestion`, or the look-up that it needs first. */
function link(question: string, schema: DatabaseSchema, { found, ...options }: LinkInput): Promise<Linked | LookUp> {
  return new Promise((resolve, reject) => {
    const lookup: LinkOptions['lookup'] = async (terms, columns) =>
      found ?? new Promise(() => resolve({ terms, columns }))
    linkQuestion(question, schema, { ...options, lookup }).then(resolve, reject)
  })
}
