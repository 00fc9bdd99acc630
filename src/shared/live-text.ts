/** A piece of the answer while it is written; `part` and `offset` as in the event `answer.delta`. */
export interface LiveText {
  readonly type: 'live.text'
  readonly part: number
  readonly offset: number
  readonly text: string
  /** Of the job that writes it. */
  readonly key?: string
}
