import type { QueryOutput } from './database.ts'

/** Total size of one result in characters; a result that would be larger is cut at a row. */
const MAX_RESULT_CHARACTERS = 8_000_000

/** Collects rows up to the limits, whichever driver they come from. */
export class RowCollector {
  readonly #maxRows: number
  readonly #data: unknown[][] = []
  #characters = 0
  #truncated = false

  constructor(maxRows: number) {
    this.#maxRows = maxRows
  }

  /** Adds a row; false when it no longer fits, which marks the result as truncated. */
  add(row: unknown[]): boolean {
    const size = row.reduce<number>((sum, cell) => sum + cellSize(cell), 0)
    if (this.#data.length >= this.#maxRows || this.#characters + size > MAX_RESULT_CHARACTERS) {
      this.#truncated = true
      return false
    }
    this.#characters += size
    this.#data.push(row)
    return true
  }

  /** The database itself cut the result. */
  markTruncated(): void {
    this.#truncated = true
  }

  get full(): boolean {
    return this.#truncated
  }

  output(columns: string[]): QueryOutput {
    return { columns, data: this.#data, rowCount: this.#data.length, truncated: this.#truncated }
  }
}

function cellSize(cell: unknown): number {
  if (typeof cell === 'string') return cell.length
  return typeof cell === 'object' && cell !== null ? JSON.stringify(cell).length : 8
}
