import { fstatSync, readSync, writeSync } from 'node:fs'

/** Reads a whole file through its descriptor, independent of the current position. */
export function readDescriptor(descriptor: number): Uint8Array {
  const bytes = new Uint8Array(fstatSync(descriptor).size)
  for (let position = 0; position < bytes.length;) {
    const count = readSync(descriptor, bytes, position, bytes.length - position, position)
    if (count === 0) throw new Error('the snapshot was cut off')
    position += count
  }
  return bytes
}

/**
 * Reads a descriptor to its end, by waiting in the call: the event loop is not needed. To be made before the globals go.
 */
export function createReader(descriptor: number): () => string {
  const decoder = new TextDecoder()
  const piece = new Uint8Array(65_536)
  const pause = pauser()
  return () => {
    let text = ''
    for (;;) {
      const count = readPiece(descriptor, piece)
      if (count === undefined) pause(10)
      else if (count === 0) return text + decoder.decode()
      else text += decoder.decode(piece.subarray(0, count), { stream: true })
    }
  }
}

/** The number of bytes read; 0 at the end, undefined when nothing is there yet. */
function readPiece(descriptor: number, piece: Uint8Array): number | undefined {
  try {
    return readSync(descriptor, piece, 0, piece.length, null)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'EAGAIN') return undefined
    // Windows reports the end of a pipe this way.
    if (code === 'EOF') return 0
    throw error
  }
}

/**
 * Blocks the thread for some milliseconds, or for ever without a number. To be created before the globals are removed.
 */
export function pauser(): (ms?: number) => void {
  const cell = new Int32Array(new SharedArrayBuffer(4))
  const { wait } = Atomics
  return (ms) => void wait(cell, 0, 0, ms)
}

/** Writes everything; the pipe to the parent does not block, so a full one is tried again. */
export function createWriter(descriptor: number): (bytes: Uint8Array) => void {
  const pause = pauser()
  return (bytes) => {
    for (let offset = 0; offset < bytes.length;) {
      try {
        offset += writeSync(descriptor, bytes, offset)
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') throw error
        pause(2)
      }
    }
  }
}
