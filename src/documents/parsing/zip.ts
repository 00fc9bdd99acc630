import { fromBufferPromise, type Entry, type ZipFile } from 'yauzl'
import { countInWords, documentError, sizeInWords } from './document-error.ts'
import type { ReadLimits } from './limits.ts'

/** One file inside an archive, as it lies there. */
export interface ZipEntry {
  readonly name: string
  /** 0 is stored, 8 is deflated. */
  readonly method: number
  readonly data: Buffer
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
    throw documentError(`${name} is damaged or incomplete; save or copy it again and add that.`, thrown)
  }
}

async function entriesOf(name: string, bytes: Buffer, zip: ZipFile, limits: ZipLimits): Promise<ZipEntry[]> {
  const entries: ZipEntry[] = []
  let remaining = limits.unzippedBytes
  for await (const entry of zip.eachEntry()) {
    if (entry.isEncrypted()) {
      throw documentError(`${name} is protected by a password; save it without one and add that.`)
    }
    if (entries.length >= limits.zipEntries) throw tooManyEntries(name, limits)
    const { fileDataStart } = await zip.readLocalFileHeaderPromise(entry, { minimal: true })
    const size = await unpackedSize(zip, entry, remaining)
    if (size > remaining) {
      throw documentError(
        `${name} unpacks to more than ${sizeInWords(limits.unzippedBytes)}, as zip bombs do; if it is what it should be, split it into several files.`,
      )
    }
    remaining -= size
    entries.push({
      name: entry.fileName,
      method: entry.compressionMethod,
      data: bytes.subarray(fileDataStart, fileDataStart + entry.compressedSize),
      size,
    })
  }
  return entries
}

/** Bytes that come out; counting ends once they are more than `max`. */
async function unpackedSize(zip: ZipFile, entry: Entry, max: number): Promise<number> {
  const stream = await zip.openReadStreamPromise(entry)
  let size = 0
  for await (const piece of stream) {
    size += (piece as Buffer).length
    if (size > max) break
  }
  return size
}

function tooManyEntries(name: string, { zipEntries }: ZipLimits): Error {
  return documentError(`${name} holds more than ${countInWords(zipEntries)} files; no document needs that many.`)
}
