import { READABLE, type DocumentType } from '../types.ts'
import { documentError } from './document-error.ts'
import { tooLong } from './document-text.ts'
import { DEFAULT_LIMITS, MAX_BYTES_PER_CHAR } from './limits.ts'
import { isBinary } from '../../markup/charset.ts'

/** Type of a file by its first bytes. Archives are inspected later. */
export type FileKind = Exclude<DocumentType, ZipType> | 'zip'

/** Types that are ZIP archives. */
const ZIP_TYPES = ['docx', 'xlsx', 'pptx', 'odt', 'ods', 'odp', 'epub'] as const
export type ZipType = (typeof ZIP_TYPES)[number]

const BY_EXTENSION: Readonly<Record<string, DocumentType>> = {
  pdf: 'pdf',
  docx: 'docx',
  xlsx: 'xlsx',
  pptx: 'pptx',
  odt: 'odt',
  ods: 'ods',
  odp: 'odp',
  epub: 'epub',
  eml: 'eml',
  csv: 'csv',
  tsv: 'csv',
  txt: 'txt',
  text: 'txt',
  md: 'md',
  markdown: 'md',
  html: 'html',
  htm: 'html',
}

const ZIP_STARTS = ['PK\x03\x04', 'PK\x05\x06', 'PK\x07\x08']

/** Extensions of the supported files, without a dot. */
export const EXTENSIONS: readonly string[] = Object.keys(BY_EXTENSION)

/**
 * Unsupported document types, with the type to convert them to. They are reported when a folder is added; other files
 * are not.
 */
const UNREADABLE: Readonly<Record<string, string>> = {
  rtf: 'DOCX',
  doc: 'DOCX',
  pages: 'DOCX',
  wpd: 'DOCX',
  xls: 'XLSX',
  numbers: 'XLSX',
  ppt: 'PPTX',
  key: 'PPTX',
  msg: 'EML',
  mobi: 'EPUB',
  azw3: 'EPUB',
  djvu: 'PDF',
  xps: 'PDF',
}
export const UNREADABLE_EXTENSIONS: readonly string[] = Object.keys(UNREADABLE)

/** Returns whether the file name has one of these extensions. */
export function isUnreadable(name: string): boolean {
  return UNREADABLE_EXTENSIONS.includes(extensionOf(name))
}

/** The extension in lower case without the dot; empty if there is none. */
export function extensionOf(name: string): string {
  return /[^/\\]\.([^./\\]+)$/.exec(name)?.[1]?.toLowerCase() ?? ''
}

/**
 * Checks before an upload whether a text of this size can be within the limit.
 * @throws TuttiError `DocumentError`
 */
export function assertMayFit(name: string, bytes: number, { characters } = DEFAULT_LIMITS): void {
  const isText = ['txt', 'md', 'csv'].includes(BY_EXTENSION[extensionOf(name)] ?? '')
  if (isText && bytes > characters * MAX_BYTES_PER_CHAR) throw tooLong(name, characters)
}

/**
 * Detects the type of a file by its content; of plain text by its name.
 * @throws TuttiError `DocumentError` for an unsupported file
 */
export function detectKind(name: string, bytes: Buffer): FileKind {
  if (bytes.length === 0) throw documentError(`${name} is empty; add a file that has content.`)
  const start = bytes.subarray(0, 1024).toString('latin1')
  // Check emails first: their attachments may look like other types.
  if (extensionOf(name) === 'eml' && /^[\w-]+:/.test(start)) return 'eml'
  if (start.includes('%PDF-')) return 'pdf'
  if (ZIP_STARTS.some((mark) => start.startsWith(mark))) return 'zip'
  if (start.startsWith('\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1')) throw oleError(name, bytes)
  const typeByName = BY_EXTENSION[extensionOf(name)]
  if (typeByName === 'pdf' || isZipType(typeByName)) {
    const type = typeByName.toUpperCase()
    throw documentError(
      `${name} is not a valid ${type} file, despite its extension. Save it again as ${type} and add that.`,
    )
  }
  if (isUnreadable(name) || start.startsWith('{\\rtf') || isBinary(bytes)) throw unknownKind(name)
  if (/^(?:\xEF\xBB\xBF)?\s*(?:<!doctype\s+html|<html[\s>])/i.test(start)) return 'html'
  if (typeByName !== undefined) return typeByName
  // Text files without an extension, such as README and LICENSE.
  if (extensionOf(name) === '') return 'txt'
  throw unknownKind(name)
}

function isZipType(type: DocumentType | undefined): type is ZipType {
  return ZIP_TYPES.some((known) => known === type)
}

/** The error for an unsupported file. */
export function unknownKind(name: string): Error {
  const better = UNREADABLE[extensionOf(name)]
  if (better !== undefined) {
    return documentError(`${name} has an unsupported format; save it as ${better} and add that.`)
  }
  return documentError(`${name} has an unsupported format; save it as one of ${READABLE}.`)
}

/** Old Office files and encrypted new ones use the same container format. */
function oleError(name: string, bytes: Buffer): Error {
  if (bytes.includes(Buffer.from('EncryptedPackage', 'utf16le'))) {
    return documentError(`${name} is protected by a password; save it without one and add that.`)
  }
  const better = UNREADABLE[extensionOf(name)] ?? 'DOCX, XLSX or PPTX'
  if (better === 'EML') return unknownKind(name)
  return documentError(`${name} is in the format of Office 97 to 2003; save it as ${better} and add that.`)
}
