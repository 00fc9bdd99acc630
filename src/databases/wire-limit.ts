import type { Socket } from 'node:net'
import { TuttiError } from '../domain/errors.ts'

/** Most bytes that one query may transfer; a single cell can be 1 GB and would be held in memory whole. */
const MAX_WIRE_BYTES = 64 * 1024 * 1024

/** Closes the connection when a query transfers more than it may. The returned function ends the watch. */
export function limitWire(wire: Socket): () => void {
  const start = wire.bytesRead
  const check = (): void => {
    if (wire.bytesRead - start <= MAX_WIRE_BYTES) return
    wire.destroy(
      new TuttiError('QueryError', 'The result is larger than 64 MB; select fewer or shorter columns, or fewer rows.'),
    )
  }
  wire.on('data', check)
  return () => wire.off('data', check)
}
