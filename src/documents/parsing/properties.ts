import { inflateRawSync } from 'node:zlib'
import type { ZipEntry } from './zip.ts'

const MAX_BYTES = 1_000_000

/** Title and day of an Office file from its properties: the day of its last change, else of its creation. */
export function packageProperties(entries: readonly ZipEntry[]): { title?: string; date?: string } {
  const entry = entries.find(({ name }) => name === 'docProps/core.xml')
  if (entry === undefined || entry.size > MAX_BYTES) return {}
  const xml = (entry.method === 0 ? entry.data : inflateRawSync(entry.data)).toString('utf8')
  const title = unescapeXml(/<dc:title>([^<]*)</.exec(xml)?.[1] ?? '').trim()
  const day = /<dcterms:modified[^>]*>([^<]*)</.exec(xml) ?? /<dcterms:created[^>]*>([^<]*)</.exec(xml)
  const date = parseIsoDay(day?.[1])
  return { ...(title === '' ? {} : { title }), ...(date === undefined ? {} : { date }) }
}

/** `YYYY-MM-DD` from the start of an ISO 8601 time or a PDF date (`D:YYYYMMDD…`); `undefined` for anything else. */
export function parseIsoDay(text: string | undefined): string | undefined {
  const [, year, month, day] = /^\s*(?:D:)?(\d{4})-?(\d{2})-?(\d{2})/.exec(text ?? '') ?? []
  if (year === undefined) return undefined
  const iso = `${year}-${month}-${day}`
  const date = new Date(`${iso}T00:00:00Z`)
  return Number.isNaN(date.getTime()) || date.toISOString().slice(0, 10) !== iso ? undefined : iso
}

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

function unescapeXml(text: string): string {
  return text.replaceAll(/&(amp|lt|gt|quot|apos);/g, (_, name: string) => ENTITIES[name]!)
}
