import { linkQuestion, type Linked, type LinkOptions, type Place } from '../../question-to-sql/index.ts'
import type { DatabaseSchema } from '../../databases/schema.ts'
import { careIn } from '../../language/care.ts'
import { extractByPatterns } from '../../memory/patterns.ts'
import { composeByRules } from '../mail/offline/compose-by-rules.ts'
import { letterOf } from '../mail/offline/phrases.ts'
import { planByRules as planMail } from '../mail/offline/plan-by-rules.ts'
import { revised } from '../mail/offline/revise.ts'
import { quotesOnPages } from '../rag/offline/on-pages.ts'
import { compute } from '../reckoning/index.ts'
import { standingOf } from '../roles/planning/follow-up.ts'
import { planByRules } from '../roles/planning/plan-by-rules.ts'

/** Rules that read what a user wrote. Their parameters and results are data, so that `runRule` can run them in a thread. */
export const RULES = {
  care: careIn,
  plan: planByRules,
  standing: standingOf,
  remember: extractByPatterns,
  mail: planMail,
  letter: letterOf,
  revise: revised,
  composeMail: composeByRules,
  compute,
  quotes: quotesOnPages,
  link,
}

export type Rules = typeof RULES

/** A look-up in the database that `link` needs before it can go on. */
export type LookUp =
  | { readonly terms: readonly string[]; readonly columns: readonly Place[] }
  | { readonly few: readonly [table: string, column: string, most: number] }

export interface LinkInput extends Omit<LinkOptions, 'lookup'> {
  readonly hasFew: boolean
  /** Results of the look-ups so far, in the order in which they were needed. */
  readonly found: readonly unknown[]
}

/** `linkQuestion` until it needs a look-up that has no result yet. The caller makes it and starts again. */
function link(
  question: string,
  schema: DatabaseSchema,
  { hasFew, found, ...options }: LinkInput,
): Promise<{ readonly linked: Linked } | { readonly needs: LookUp }> {
  return new Promise((resolve, reject) => {
    let at = 0
    const lookUp = async (needs: LookUp): Promise<never> =>
      (at < found.length ? found[at++] : new Promise(() => resolve({ needs }))) as never
    const find: LinkOptions['lookup'] = (terms, columns) => lookUp({ terms, columns })
    const few: LinkOptions['lookup']['few'] = (...args) => lookUp({ few: args })
    const lookup = hasFew ? Object.assign(find, { few }) : find
    linkQuestion(question, schema, { ...options, lookup }).then((linked) => resolve({ linked }), reject)
  })
}
