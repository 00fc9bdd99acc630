import { TuttiError } from '../../domain/errors.ts'
import { isPlainName } from '../../shared/plain-name.ts'
import { parseCases, type EvalCase } from '../cases.ts'

const MAX_NAME_CHARS = 100

/**
 * Parses cases to store: one JSON object per line. Stored cases use the connected sources; their own are ignored.
 * @param set default set
 * @throws TuttiError `InvalidRequest` that names the line
 */
export function parseStoredCases(text: string, set: string): EvalCase[] {
  return parseCases(text, 'the cases').map((one) => {
    const { db: _db, api: _api, docs: _docs, mcp: _mcp, ...rest } = one
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
