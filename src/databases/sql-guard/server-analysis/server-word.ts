import type { PoolClient } from 'pg'
import { askForTree, judgeTree, offenceError } from './ask.ts'
import { readWordLists, type WordLists, type WordOptions } from './catalog.ts'

/**
 * The wall "the server's reading": PostgreSQL says which functions, operators, tables and types a query would use, by their
 * numbers, before it plans or runs anything, and whatever is not on the allow-lists is refused. It does not rely on
 * the gate's reading of the text.
 */
export class ServerWord {
  readonly #options: WordOptions
  #lists: WordLists | undefined

  constructor(options: WordOptions) {
    this.#options = options
  }

  /** The lists are looked up anew for the next query; to be called when the schema is read anew. */
  forget(): void {
    this.#lists = undefined
  }

  /**
   * Lets a query pass or throws. To be called in the read-only transaction that the query will run in.
   * @throws TuttiError `QueryBlocked` naming what is on no list; `ConfigurationError` for a server that does not tell
   */
  async check(client: PoolClient, sql: string): Promise<void> {
    const kept = this.#lists
    const lists = kept ?? (await this.#look(client))
    const tree = await askForTree(client, sql)
    let offences = judgeTree(tree, lists)
    // A table may be newer than the lists.
    if (offences.length > 0 && kept !== undefined) offences = judgeTree(tree, await this.#look(client))
    if (offences[0] !== undefined) throw await offenceError(client, offences[0])
  }

  async #look(client: PoolClient): Promise<WordLists> {
    this.#lists = await readWordLists(client, this.#options)
    return this.#lists
  }
}
