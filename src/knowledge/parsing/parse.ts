import { TuttiError } from '../../core/errors.ts'
import type { ParsedDocument } from '../types.ts'
import { detectKind, READABLE, unknownKind, type FileKind } from './detect.ts'
import { documentError, sizeInWords } from './document-error.ts'
import { DEFAULT_LIMITS, type ReadLimits } from './limits.ts'
import type { Parsed, Source } from './source.ts'
import { readZip } from './zip.ts'

/** A file as it came: its name with the extension, and its content. */
export interface FileContent {
  readonly name: string
  readonly bytes: Buffer
}

/**
 * Turns a file into text with its structure, in this process. Files from outside should go through `readDocument`, which
 * does it in a process of their own.
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
    if (parsed.blocks.length === 0) throw documentError(`${name} has no text; there is nothing in it to search.`)
    return { type, ...parsed }
  } catch (thrown) {
    if (TuttiError.isInstance(thrown)) throw thrown
    throw documentError(`${name} is damaged or was cut off; save or copy it again and add that.`, thrown)
  }
}

/** @throws TuttiError `DocumentError` when a file is larger than what is taken */
export function assertSize(name: string, size: number, { fileBytes }: Pick<ReadLimits, 'fileBytes'>): void {
  if (size <= fileBytes) return
  throw documentError(
    `${name} has ${sizeInWords(size)}, more than the ${sizeInWords(fileBytes)} that are taken; split it and add the parts.`,
  )
}

/** Parsers are loaded when a file needs them. */
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

async function parseZip(source: Source): Promise<{ type: 'docx' | 'xlsx'; parsed: Parsed }> {
  const entries = await readZip(source.name, source.bytes, source.limits)
  const has = (pattern: RegExp): boolean => entries.some(({ name }) => pattern.test(name))
  if (has(/^word\/document\d*\.xml$/)) {
    return { type: 'docx', parsed: await (await import('./docx.ts')).parseDocx({ ...source, entries }) }
  }
  if (has(/^xl\/workbook\.xml$/)) {
    return { type: 'xlsx', parsed: await (await import('./xlsx.ts')).parseXlsx({ ...source, entries }) }
  }
  if (has(/^(?:ppt|xl|visio|mimetype)(?:\/|$)/)) throw unknownKind(source.name)
  throw documentError(`${source.name} is an archive; unpack it and add the files in it that are ${READABLE}.`)
}
