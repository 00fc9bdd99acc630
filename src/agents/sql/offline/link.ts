import type { DatabaseSchema } from '../../../databases/schema.ts'
import type { Linked, LinkOptions } from '../../../question-to-sql/index.ts'
import { runRule } from '../../rules/run-rule.ts'

/** `linkQuestion` off the event loop, with look-ups made here; undefined when it takes too long. */
export async function linkInThread(
  question: string,
  schema: DatabaseSchema,
  { lookup, ...options }: LinkOptions,
): Promise<Linked | undefined> {
  const found: unknown[] = []
  const hasFew = lookup.few !== undefined
  for (;;) {
    const step = await runRule('link', question, schema, { ...options, hasFew, found })
    if (step === undefined) return undefined
    if ('linked' in step) return step.linked
    const { needs } = step
    found.push('few' in needs ? await lookup.few!(...needs.few) : await lookup(needs.terms, needs.columns))
  }
}
