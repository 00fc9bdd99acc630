export interface ScoredChunk {
  readonly chunk: number
  readonly score: number
}

/** Keeps the highest of many scores that come in the order of their chunks. */
export class Best {
  /** What a score must exceed to be kept; an equal one comes too late. */
  floor: number
  readonly #limit: number
  #kept: ScoredChunk[] = []

  /** @param floor scores up to this are dropped */
  constructor(limit: number, floor: number) {
    this.#limit = limit
    this.floor = limit <= 0 ? Infinity : floor
  }

  add(scored: ScoredChunk): void {
    this.#kept.push(scored)
    if (this.#kept.length < this.#limit * 2 + 64) return
    this.#kept = this.sorted()
    this.floor = this.#kept.at(-1)?.score ?? this.floor
  }

  /** Best first; equal scores in the order of the chunks. */
  sorted(): ScoredChunk[] {
    return this.#kept.toSorted((a, b) => b.score - a.score || a.chunk - b.chunk).slice(0, this.#limit)
  }
}
