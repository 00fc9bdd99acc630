/** Contents of the archive by path. */
export type Entries = Readonly<Record<string, string>>

const TABLE = Uint32Array.from({ length: 256 }, (_none, at) => {
  let value = at
  for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1
  return value
})

function crc32(bytes: Uint8Array): number {
  let value = 0xffffffff
  for (const byte of bytes) value = TABLE[(value ^ byte) & 0xff]! ^ (value >>> 8)
  return ~value >>> 0
}

/** Little-endian numbers of `size` bytes each. */
function numbers(...all: readonly (readonly [size: 2 | 4, value: number])[]): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(all.reduce((sum, [size]) => sum + size, 0))
  const view = new DataView(bytes.buffer)
  let at = 0
  for (const [size, value] of all) {
    if (size === 2) view.setUint16(at, value, true)
    else view.setUint32(at, value, true)
    at += size
  }
  return bytes
}

/** Creates a ZIP archive (APPNOTE 4.3) without compression: the files are small, and no library is needed. */
export function createZip(entries: Entries): Uint8Array<ArrayBuffer>[] {
  const parts: Uint8Array<ArrayBuffer>[] = []
  const directory: Uint8Array<ArrayBuffer>[] = []
  let at = 0
  for (const [path, text] of Object.entries(entries)) {
    const name = new TextEncoder().encode(path)
    const bytes = new TextEncoder().encode(text)
    // Version 2.0, names in UTF-8, no compression, the earliest date in ZIP.
    const fields = [
      [2, 20],
      [2, 0x800],
      [2, 0],
      [2, 0],
      [2, 0x21],
      [4, crc32(bytes)],
      [4, bytes.length],
      [4, bytes.length],
      [2, name.length],
      [2, 0],
    ] as const
    const head = numbers([4, 0x04034b50], ...fields)
    directory.push(numbers([4, 0x02014b50], [2, 20], ...fields, [2, 0], [2, 0], [2, 0], [4, 0], [4, at]), name)
    parts.push(head, name, bytes)
    at += head.length + name.length + bytes.length
  }
  const count = Object.keys(entries).length
  const length = directory.reduce((sum, part) => sum + part.length, 0)
  return [
    ...parts,
    ...directory,
    numbers([4, 0x06054b50], [4, 0], [2, count], [2, count], [4, length], [4, at], [2, 0]),
  ]
}
