import { Readable } from 'node:stream'
import { createInflateRaw } from 'node:zlib'
import type { ZipEntry } from './zip.ts'

/**
 * What is told of a part of an Office file while it is read. Names come without the prefix of their namespace; attributes that have
 * one under both names, and one without it is not hidden by them.
 */
export interface XmlReader {
  open?(name: string, attributes: Readonly<Record<string, string>>): void
  text?(text: string): void
  close?(name: string): void
}

/**
 * Reads XML piece by piece, so that no part is in memory as a whole. Entities that a document declares itself are refused.
 * @throws Error for what is not well-formed or cannot be unpacked
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

/** The content of a part, piece by piece. */
export function unpacked(method: number, data: Buffer): Readable {
  if (method === 0) return Readable.from([data])
  const stream = createInflateRaw({ chunkSize: PIECE_BYTES })
  stream.end(data)
  return stream
}

function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1)
}
