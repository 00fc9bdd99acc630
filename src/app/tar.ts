const BLOCK = 512

/** A file of an archive; its name has at most 100 bytes. */
export interface ArchivedFile {
  readonly name: string
  readonly bytes: Uint8Array
}

/** An archive in the form of POSIX `ustar`, as its files come. @param at when they were written, in milliseconds */
export async function* tar(files: AsyncIterable<ArchivedFile>, at: number): AsyncGenerator<Uint8Array> {
  for await (const { name, bytes } of files) {
    yield headerOf(name, bytes.length, at)
    yield bytes
    yield new Uint8Array((BLOCK - (bytes.length % BLOCK)) % BLOCK)
  }
  yield new Uint8Array(2 * BLOCK)
}

function headerOf(name: string, size: number, at: number): Uint8Array {
  const header = Buffer.alloc(BLOCK)
  const octal = (value: number, length: number): string => `${value.toString(8).padStart(length - 1, '0')}\0`
  header.write(name, 0, 100)
  header.write(octal(0o600, 8), 100)
  header.write(octal(0, 8), 108)
  header.write(octal(0, 8), 116)
  header.write(octal(size, 12), 124)
  header.write(octal(Math.floor(at / 1_000), 12), 136)
  // The checksum is computed with blanks in its own place.
  header.write('        ', 148)
  header.write('0', 156)
  header.write('ustar\u000000', 257)
  header.write(
    octal(
      header.reduce((sum, byte) => sum + byte, 0),
      7,
    ),
    148,
  )
  return header
}
