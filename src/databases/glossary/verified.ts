import { TuttiError } from '../../domain/errors.ts'
import { parseTerms } from './terms.ts'

/** A question with the SQL that answers it. */
export interface VerifiedPair {
  readonly question: string
  readonly sql: string
}

/**
 * A file of terms with one more verified pair, in the place of an earlier one of the same question; all else stays as it is
 * written, comments, too.
 * @param path for messages
 * @throws TuttiError `ConfigurationError` for terms that cannot be read; `InvalidRequest` for SQL that reads no table
 */
export async function withVerified(text: string, path: string, { question, sql }: VerifiedPair): Promise<string> {
  const { isMap, isSeq, parseDocument } = await import('yaml')
  await parseTerms(text, path)
  const document = parseDocument(text)
  const pair = document.createNode({ question, sql })
  const pairs = document.get('verified')
  if (isSeq(pairs)) {
    const isThis = (item: unknown): boolean =>
      isMap(item) && String(item.get('question')).trim().toLowerCase() === question.trim().toLowerCase()
    const place = pairs.items.findIndex(isThis)
    if (place < 0) pairs.add(pair)
    else pairs.set(place, pair)
  } else document.set('verified', document.createNode([{ question, sql }]))
  const added = document.toString({ lineWidth: 0 })
  await parseTerms(added, path).catch((cause: Error) => {
    throw new TuttiError('InvalidRequest', `This cannot be a verified question: ${cause.message}`, { cause })
  })
  return added
}
