import { Readable } from 'node:stream'
import { createInflateRaw } from 'node:zlib'
import type { ZipEntry } from './zip.ts'

/**
 * Callbacks for the parts of an Office file. Names come without namespace prefix. Prefixed attributes are available
 * under both names and do not hide unprefixed ones.
 */
export interface XmlReader {
  open?(name: string, attributes: Readonly<Record<string, string>>): void
  text?(text: string): void
  close?(name: string): void
}

/**
 * Parses XML as a stream, so that no part is in memory as a whole. Documents with entity declarations are rejected.
 * @throws Error if the XML is not well-formed or cannot be decompressed
 */
export async function readXml({ method, data }: ZipEntry, { open, text, close }: XmlReader): Promise<void> {
  const { SaxesParser } = await import('saxes')
  const parser = new SaxesParser({ position: false })
  if (open !== undefined) {
    parser.on('opentag', (tag) => {
      const attributes: Record<string, string> = {}
      for (const [name, value] of Object.entries(tag.attributes)) {
        attributes[name] = value
        attributes[localName(name)] ??= value
      }
      open(localName(tag.name), attributes)
    })
  }
  if (text !== undefined) {
    parser.on('text', text)
    parser.on('cdata', text)
  }
  if (close !== undefined) parser.on('closetag', (tag) => close(localName(tag.name)))
  const decoder = new TextDecoder()
  for await (const piece of unpacked(method, data)) parser.write(decoder.decode(piece, { stream: true }))
  parser.write(decoder.decode()).close()
}

const PIECE_BYTES = 65_536

/** The decompressed content of a part as a stream. */
export function unpacked(method: number, data: Buffer): Readable {
  if (method === 0) return Readable.from([data])
  const stream = createInflateRaw({ chunkSize: PIECE_BYTES })
  stream.end(data)
  return stream
}

function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1)
}
