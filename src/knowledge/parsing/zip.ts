import { fromBufferPromise, type Entry, type ZipFile } from 'yauzl'
import { countInWords, documentError, sizeInWords } from './document-error.ts'
import type { ReadLimits } from './limits.ts'

/** One file inside an archive, as it lies there. */
export interface ZipEntry {
  readonly name: string
  /** 0 is stored, 8 is deflated. */
  readonly method: number
  readonly data: Buffer
  readonly crc32: number
  /** Of its content, counted and not as declared. */
  readonly size: number
}

type ZipLimits = Pick<ReadLimits, 'unzippedBytes' | 'zipEntries'>

/**
 * The entries of an archive, after all of them were unpacked once to count what comes out: declared sizes lie. Archives
 * inside are counted as they are, since nothing here opens them.
 * @throws TuttiError `DocumentError` for a damaged, encrypted or overlarge archive
 */
export async function readZip(name: string, bytes: Buffer, limits: ZipLimits): Promise<readonly ZipEntry[]> {
  try {
    const zip = await fromBufferPromise(bytes, { lazyEntries: true, validateEntrySizes: false, strictFileNames: false })
    if (zip.entryCount > limits.zipEntries) throw tooManyEntries(name, limits)
    return await entriesOf(name, bytes, zip, limits)
  } catch (thrown) {
    if (thrown instanceof Error && thrown.name === 'DocumentError') throw thrown
    throw documentError(`${name} is damaged or was cut off; save or copy it again and add that.`, thrown)
  }
}

async function entriesOf(name: string, bytes: Buffer, zip: ZipFile, limits: ZipLimits): Promise<ZipEntry[]> {
  const entries: ZipEntry[] = []
  let left = limits.unzippedBytes
  for await (const entry of zip.eachEntry()) {
    if (entry.isEncrypted()) {
      throw documentError(`${name} is protected by a password; save it without one and add that.`)
    }
    if (entries.length >= limits.zipEntries) throw tooManyEntries(name, limits)
    const { fileDataStart } = await zip.readLocalFileHeaderPromise(entry, { minimal: true })
    const size = await unpackedSize(zip, entry, left)
    if (size > left) {
      throw documentError(
        `${name} unpacks to more than ${sizeInWords(limits.unzippedBytes)}, as zip bombs do; if it is what it should be, split it into several files.`,
      )
    }
    left -= size
    entries.push({
      name: entry.fileName,
      method: entry.compressionMethod,
      data: bytes.subarray(fileDataStart, fileDataStart + entry.compressedSize),
      crc32: entry.crc32,
      size,
    })
  }
  return entries
}

/** Bytes that come out; counting ends once they are more than `most`. */
async function unpackedSize(zip: ZipFile, entry: Entry, most: number): Promise<number> {
  const stream = await zip.openReadStreamPromise(entry)
  let size = 0
  for await (const piece of stream) {
    size += (piece as Buffer).length
    if (size > most) break
  }
  return size
}

function tooManyEntries(name: string, { zipEntries }: ZipLimits): Error {
  return documentError(`${name} holds more than ${countInWords(zipEntries)} files; no document needs that many.`)
}

const LOCAL_HEADER = 0x04034b50
const LOCAL_HEADER_BYTES = 30
const VERSION = 20

/** Entries one after the other, each behind its header, for a reader that goes through them from the start. */
export function zipStream(entries: readonly ZipEntry[]): Buffer[] {
  return entries.flatMap(({ name, method, data, crc32, size }) => {
    const fileName = Buffer.from(name)
    const header = Buffer.alloc(LOCAL_HEADER_BYTES)
    header.writeUInt32LE(LOCAL_HEADER, 0)
    header.writeUInt16LE(VERSION, 4)
    header.writeUInt16LE(method, 8)
    header.writeUInt32LE(crc32, 14)
    header.writeUInt32LE(data.length, 18)
    header.writeUInt32LE(size, 22)
    header.writeUInt16LE(fileName.length, 26)
    return [header, fileName, data]
  })
}
