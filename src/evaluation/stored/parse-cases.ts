import { TuttiError } from '../../domain/errors.ts'
import { isPlainName } from '../../shared/plain-name.ts'
import { parseCases, type EvalCase } from '../cases.ts'
import { OWN_SOURCES } from './types.ts'

const MAX_NAME_CHARS = 100

/**
 * Parses cases to store: one JSON object per line.
 * @param set default set
 * @param withoutSources use the connected sources for cases that name their own
 * @throws TuttiError `InvalidRequest` that names the line, or the case that names sources
 */
export function parseStoredCases(
  text: string,
  { set, withoutSources }: { readonly set: string; readonly withoutSources: boolean },
): EvalCase[] {
  return parseCases(text, 'the cases').map((one) => {
    const { db: _db, api: _api, docs: _docs, mcp: _mcp, ...rest } = one
    const named = OWN_SOURCES.find((kind) => one[kind] !== undefined)
    if (named !== undefined && !withoutSources) {
      const message = `The case ${one.id} names sources of its own ("${named}"); here, what is connected is asked. Take that out, or say that it does not matter.`
      throw new TuttiError('InvalidRequest', message)
    }
    const accepted = { ...rest, set: rest.set === 'all' ? set : rest.set }
    const strange = [accepted.set, accepted.id].find((name) => name.length > MAX_NAME_CHARS || !isPlainName(name))
    if (strange !== undefined) {
      const excerpt = strange.slice(0, 40)
      throw new TuttiError(
        'InvalidRequest',
        `A set and a case have names of at most ${MAX_NAME_CHARS} plain characters: ${excerpt}…`,
      )
    }
    return accepted
  })
}
