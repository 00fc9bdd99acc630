import { fstatSync, readSync, writeSync } from 'node:fs'

/** Reads a whole file through its descriptor, wherever that stands. */
export function readDescriptor(descriptor: number): Uint8Array {
  const bytes = new Uint8Array(fstatSync(descriptor).size)
  for (let position = 0; position < bytes.length;) {
    const count = readSync(descriptor, bytes, position, bytes.length - position, position)
    if (count === 0) throw new Error('the snapshot was cut off')
    position += count
  }
  return bytes
}

/** Writes everything; the pipe to the parent does not block, so a full one is tried again. */
export function createWriter(descriptor: number): (bytes: Uint8Array) => void {
  const pause = new Int32Array(new SharedArrayBuffer(4))
  const { wait } = Atomics
  return (bytes) => {
    for (let offset = 0; offset < bytes.length;) {
      try {
        offset += writeSync(descriptor, bytes, offset)
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') throw error
        wait(pause, 0, 0, 2)
      }
    }
  }
}
