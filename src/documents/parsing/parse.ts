import { TuttiError } from '../../domain/errors.ts'
import { READABLE, type ParsedDocument } from '../types.ts'
import { detectKind, unknownKind, type FileKind, type ZipType } from './detect.ts'
import { documentError, sizeInWords } from './document-error.ts'
import { DEFAULT_LIMITS, type ReadLimits } from './limits.ts'
import type { Parsed, Source, ZipSource } from './source.ts'
import { readZip } from './zip.ts'

/** A file: name with extension, and content. */
export interface FileContent {
  readonly name: string
  readonly bytes: Buffer
}

/**
 * Parses a file to structured text, in this process. Untrusted files should be read with `readDocument`, which uses a
 * separate process.
 * @throws TuttiError `DocumentError` with one sentence that says what to do
 */
export async function parseDocument(
  { name, bytes }: FileContent,
  given: Partial<ReadLimits> = {},
): Promise<ParsedDocument> {
  const limits = { ...DEFAULT_LIMITS, ...given }
  assertSize(name, bytes.length, limits)
  const source = { name, bytes, limits }
  const kind = detectKind(name, bytes)
  try {
    const { type, parsed } =
      kind === 'zip' ? await parseZip(source) : { type: kind, parsed: await parseAs(kind, source) }
    if (parsed.blocks.length === 0) throw documentError(`${name} has no text to search.`)
    return { type, ...parsed }
  } catch (thrown) {
    if (TuttiError.isInstance(thrown)) throw thrown
    throw documentError(`${name} is damaged or incomplete; save or copy it again and add that.`, thrown)
  }
}

/** @throws TuttiError `DocumentError` if the file is too large */
export function assertSize(name: string, size: number, { fileBytes }: Pick<ReadLimits, 'fileBytes'>): void {
  if (size <= fileBytes) return
  throw documentError(
    `${name} has ${sizeInWords(size)}, more than the limit of ${sizeInWords(fileBytes)}; split it and add the parts.`,
  )
}

/** Parsers are loaded on demand. */
async function parseAs(type: Exclude<FileKind, 'zip'>, source: Source): Promise<Parsed> {
  switch (type) {
    case 'pdf':
      return (await import('./pdf.ts')).parsePdf(source)
    case 'csv':
      return (await import('./csv.ts')).parseCsv(source)
    case 'md':
      return (await import('./markdown.ts')).parseMarkdown(source)
    case 'html':
      return (await import('./html.ts')).parseHtml(source)
    case 'txt':
      return (await import('./plain.ts')).parsePlain(source)
  }
}

/** Types of archives by their parts; the first match wins. */
const ZIP_READERS: readonly (readonly [type: ZipType, part: RegExp, read: (source: ZipSource) => Promise<Parsed>])[] = [
  ['docx', /^word\/document\d*\.xml$/, async (source) => (await import('./docx.ts')).parseDocx(source)],
  ['xlsx', /^xl\/workbook\.xml$/, async (source) => (await import('./xlsx.ts')).parseXlsx(source)],
]

async function parseZip(given: Source): Promise<{ type: ZipType; parsed: Parsed }> {
  const entries = await readZip(given.name, given.bytes, given.limits)
  const source = { ...given, entries }
  const has = (pattern: RegExp): boolean => entries.some(({ name }) => pattern.test(name))
  const reader = ZIP_READERS.find(([, part]) => has(part))
  if (reader !== undefined) return { type: reader[0], parsed: await reader[2](source) }
  if (has(/^(?:ppt|xl|visio|mimetype)(?:\/|$)/)) throw unknownKind(source.name)
  throw documentError(`${source.name} is an archive; unpack it and add the files in it that are ${READABLE}.`)
}
