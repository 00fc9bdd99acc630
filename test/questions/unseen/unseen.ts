/** A database that the rules were not made on, and questions over it with SQL that was written before they were asked. */
export interface Unseen {
  readonly name: string
  readonly sql: string
  /** The question, and SQL for its answer; without, it is to be declined, and so may any other be. */
  readonly questions: readonly (readonly [question: string, sql?: string])[]
}
