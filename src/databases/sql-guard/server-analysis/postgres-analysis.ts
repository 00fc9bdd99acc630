import type { PoolClient } from 'pg'
import { requestParseTree, judgeTree, violationError } from './parse-tree.ts'
import { readAllowLists, type AllowLists, type AnalysisOptions } from './catalog.ts'

/**
 * The layer "the server's analysis": before PostgreSQL plans or runs a query, it reports the IDs of all functions,
 * operators, tables and types that the query uses. Anything not on the allow-lists is rejected. This does not rely on
 * the SQL guard's own parsing.
 */
export class PostgresAnalysis {
  readonly #options: AnalysisOptions
  #lists: AllowLists | undefined

  constructor(options: AnalysisOptions) {
    this.#options = options
  }

  /** Makes the next query look up the lists again; call it when the schema is read again. */
  forget(): void {
    this.#lists = undefined
  }

  /**
   * Accepts a query or throws. Call it in the read-only transaction that will run the query.
   * @throws TuttiError `QueryBlocked` with the names that are not listed; `ConfigurationError` if the server does not
   * report them
   */
  async check(client: PoolClient, sql: string): Promise<void> {
    const cached = this.#lists
    const lists = cached ?? (await this.#look(client))
    const tree = await requestParseTree(client, sql)
    let violations = judgeTree(tree, lists)
    // A table may be newer than the lists.
    if (violations.length > 0 && cached !== undefined) violations = judgeTree(tree, await this.#look(client))
    if (violations[0] !== undefined) throw await violationError(client, violations[0])
  }

  async #look(client: PoolClient): Promise<AllowLists> {
    this.#lists = await readAllowLists(client, this.#options)
    return this.#lists
  }
}
