import type { Source } from './result.ts'

/** What the mark [n] in an answer stands for. Numbers are given by the engine, never by a model. */
export interface Citation {
  readonly n: number
  readonly source: Source
  /** The agent that found it. */
  readonly agent: string
}
