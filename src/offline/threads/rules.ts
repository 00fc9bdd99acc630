import { compute } from '../calculator/compute.ts'
import { exampleQuestions } from '../conversation/example-questions.ts'
import { readMailRequest } from '../mail/read-request.ts'
import { isUnderstoodBySql, linkQuestion } from '../sql/link.ts'
import type { Linked, LinkOptions } from '../sql/types.ts'
import type { DatabaseSchema } from '../../databases/schema.ts'
import type { Place } from '../../databases/glossary/value-lookup.ts'

/** Rules that read what a user wrote. Their parameters and results are data, so that `runRule` can run them in a thread. */
export const RULES = { mail: readMailRequest, compute, fits: isUnderstoodBySql, link, suggest: exampleQuestions }

export type Rules = typeof RULES

/** A look-up in the database that `link` needs before it can continue. */
export type LookUp = { readonly terms: readonly string[]; readonly columns: readonly Place[] }

export interface LinkInput extends Omit<LinkOptions, 'lookup'> {
  /** Results of the look-ups so far, in the order in which they were needed. */
  readonly found: readonly unknown[]
}

/** `linkQuestion` until it needs a look-up that has no result yet. The caller makes it and starts again. */
function link(
  question: string,
  schema: DatabaseSchema,
  { found, ...options }: LinkInput,
): Promise<{ readonly linked: Linked } | { readonly needs: LookUp }> {
  return new Promise((resolve, reject) => {
    let at = 0
    const lookUp = async (needs: LookUp): Promise<never> =>
      (at < found.length ? found[at++] : new Promise(() => resolve({ needs }))) as never
    const lookup: LinkOptions['lookup'] = (terms, columns) => lookUp({ terms, columns })
    linkQuestion(question, schema, { ...options, lookup }).then((linked) => resolve({ linked }), reject)
  })
}
