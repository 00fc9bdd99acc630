import type { Socket } from 'node:net'
import { TuttiError } from '../domain/errors.ts'
import { withinLimits, type QueryLimits } from './limits.ts'

/** How a driver handles the connections to its server. */
export interface Connections<C> {
  /** Takes a connection from the pool. */
  connect(): Promise<C>
  socketOf(connection: C): Socket
  /** Begins a read-only transaction with the limits. */
  enter(connection: C, limits: QueryLimits): Promise<void>
  /** Ends the transaction and drops all session state. Returns whether this worked. */
  reset(connection: C): Promise<boolean>
  /** Returns a clean connection to the pool, and destroys another. */
  release(connection: C, isClean: boolean): void
  /** Ends what the connection runs on the server's side. Best effort. */
  cancel(connection: C): void
  /** The error of a query; retryable if the connection broke. */
  errorOf(error: unknown, timeoutMs: number): TuttiError
}

/**
 * Runs `work` on a separate connection, in a read-only transaction that is rolled back. All session state is discarded.
 * `work` may call `stop` when it has enough rows.
 */
export function runInSession<C, T>(
  connections: Connections<C>,
  limits: QueryLimits,
  work: (connection: C, stop: () => void) => Promise<T>,
): Promise<T> {
  let connection: C | undefined
  let isStopped = false
  const stop = (): void => {
    isStopped = true
    if (connection === undefined) return
    connections.cancel(connection)
    connections.socketOf(connection).destroy()
  }
  const run = async (): Promise<T> => {
    const leased = await connections.connect()
    if (isStopped) {
      connections.release(leased, true)
      throw new TuttiError('Cancelled', 'The query was cancelled before it started.')
    }
    connection = leased
    const unguard = limitWire(connections.socketOf(leased))
    let isClean = false
    try {
      await connections.enter(leased, limits)
      const result = await work(leased, stop)
      isClean = true
      return result
    } catch (error) {
      const mapped = connections.errorOf(error, limits.timeoutMs)
      isClean = !mapped.retryable
      throw mapped
    } finally {
      isClean = !isStopped && isClean && (await connections.reset(leased))
      unguard()
      connections.release(leased, isClean)
    }
  }
  return withinLimits(limits, run, stop)
}

/** Most bytes that one query may transfer; a single cell can be 1 GB and would be held in memory whole. */
const MAX_WIRE_BYTES = 64 * 1024 * 1024

/** Closes the connection when a query transfers more than it may. The returned function ends the watch. */
function limitWire(wire: Socket): () => void {
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
