/** The walls between a query and what it must not reach, for this database and this user. */
export interface Walls {
  readonly standing: readonly string[]
  /** What takes a wall down, one clause for each. */
  readonly weak: readonly string[]
  /** Statements that would put the walls up again. */
  readonly advice: readonly string[]
  /** Statements that let the user read, where there are tables and it may read none of them. */
  readonly grants?: readonly string[]
  /** Of PostgreSQL: other schemas with tables that the user may read, where it may read none in those that are shown. */
  readonly elsewhere?: readonly string[]
}
