/** The protections of this database for this user. */
export interface Protections {
  readonly standing: readonly string[]
  /** Weaknesses of the protections, one clause each. */
  readonly weak: readonly string[]
  /** Statements that would fix the weaknesses. */
  readonly advice: readonly string[]
  /** Statements that grant read access, if there are tables and the user may read none of them. */
  readonly grants?: readonly string[]
  /** For PostgreSQL: other schemas with tables that the user may read, if it may read none in the shown schemas. */
  readonly elsewhere?: readonly string[]
}
