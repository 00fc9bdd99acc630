import { randomUUID } from 'node:crypto'
import { readFile, realpath, rename, stat, writeFile } from 'node:fs/promises'
import { dependsOnToday } from '../offline/sql/index.ts'
import type { SqlSource } from '../agents/sql/source.ts'
import { TuttiError } from '../domain/errors.ts'
import type { RunRequest } from '../domain/request.ts'
import type { RunResponse } from '../domain/response.ts'
import { withVerified, type VerifiedPair } from '../databases/glossary/verified.ts'

export interface AnsweredPair extends VerifiedPair {
  readonly database: string
}

const DATED = /\b(?:19|20)\d\d\b/

/**
 * The question of a run and the one query that answered it, as a pair that defines the question's meaning for all users
 * from now on.
 * @throws TuttiError `InvalidRequest` with the reason if the pair cannot be used
 */
export function verifiedPair(request: RunRequest, { planner, agentResults, metadata }: RunResponse): AnsweredPair {
  const refuse = (why: string): TuttiError => new TuttiError('InvalidRequest', `This question cannot be saved: ${why}.`)
  const question = planner?.understood?.question ?? request.question
  const [result, other] = agentResults.filter(({ sources }) => sources.length > 0)
  const [source, another] = result?.sources ?? []
  if (metadata.status !== 'finished' || !metadata.isAnswered) throw refuse('the run did not answer its question')
  if (other !== undefined || another !== undefined || source?.kind !== 'database' || source.detail === undefined) {
    throw refuse('the answer does not come of one query alone')
  }
  if (result!.effectiveTask !== undefined) throw refuse('its task was changed by hand')
  const isOfThen = !DATED.test(question) || dependsOnToday(question, String(request.context['current_date']))
  if (DATED.test(source.detail) && isOfThen) {
    throw refuse('the query names days that the question does not name in full; on another day it would be wrong')
  }
  return { question, database: source.name, sql: source.detail }
}

/** The terms file that a pair would be written into; undefined if its database has none. */
async function termsFileOf(databases: readonly SqlSource[], pair: AnsweredPair): Promise<string | undefined> {
  const source = databases.find(({ name }) => name === pair.database)
  return (await source?.terms?.())?.path
}

/**
 * Writes a pair into the terms file of its database, which is read when Tutti starts.
 * @returns the file
 * @throws TuttiError `InvalidRequest` if the database has no terms file; `ConfigurationError` if the file cannot be
 * read or written
 */
export async function writePair(databases: readonly SqlSource[], pair: AnsweredPair): Promise<string> {
  const path = await termsFileOf(databases, pair)
  if (path === undefined) {
    throw new TuttiError(
      'InvalidRequest',
      `The database "${pair.database}" has no terms file in the configuration. Create one with "tutti db describe --to FILE", and name it as terms: of the database.`,
    )
  }
  const fail = (cause: Error): never => {
    throw new TuttiError('ConfigurationError', `The terms in ${path} cannot be changed: ${cause.message}.`, { cause })
  }
  const file = await realpath(path).catch(fail)
  const text = await withVerified(await readFile(file, 'utf8').catch(fail), path, pair)
  const { mode } = await stat(file).catch(fail)
  // Atomic replacement: concurrent readers see either the old or the new file.
  const temporary = `${file}.${randomUUID()}.new`
  await writeFile(temporary, text, { mode }).catch(fail)
  await rename(temporary, file).catch(fail)
  return path
}
