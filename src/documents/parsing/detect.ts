import { READABLE, type DocumentType } from '../types.ts'
import { documentError } from './document-error.ts'
import { tooLong } from './document-text.ts'
import { DEFAULT_LIMITS, MOST_BYTES_A_CHARACTER } from './limits.ts'
import { isBinary } from '../../markup/charset.ts'

/** What a file is by its first bytes; the inside of an archive is looked at later. */
export type FileKind = Exclude<DocumentType, ZipType> | 'zip'

/** Those that are archives. */
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

/** Extensions, without a dot, of the files that can be read. */
export const EXTENSIONS: readonly string[] = Object.keys(BY_EXTENSION)

/** Documents that cannot be read, and as what to save them: they are named when a folder is added, and other files are not. */
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

/** Whether its name says that it is one of those. */
export function isUnreadable(name: string): boolean {
  return UNREADABLE_EXTENSIONS.includes(extensionOf(name))
}

/** Lower case, without the dot; empty when the name has none. */
export function extensionOf(name: string): string {
  return /[^/\\]\.([^./\\]+)$/.exec(name)?.[1]?.toLowerCase() ?? ''
}

/**
 * Before all of a file is sent: whether a text of this name can be as short as it has to be.
 * @throws TuttiError `DocumentError`
 */
export function assertMayFit(name: string, bytes: number, { characters } = DEFAULT_LIMITS): void {
  const isText = ['txt', 'md', 'csv'].includes(BY_EXTENSION[extensionOf(name)] ?? '')
  if (isText && bytes > characters * MOST_BYTES_A_CHARACTER) throw tooLong(name, characters)
}

/**
 * Tells what a file is: by its content, and for plain text by its name.
 * @throws TuttiError `DocumentError` for what cannot be read
 */
export function detectKind(name: string, bytes: Buffer): FileKind {
  if (bytes.length === 0) throw documentError(`${name} is empty; add a file that has content.`)
  const start = bytes.subarray(0, 1024).toString('latin1')
  // What is attached to a mail may be anything.
  if (extensionOf(name) === 'eml' && /^[\w-]+:/.test(start)) return 'eml'
  if (start.includes('%PDF-')) return 'pdf'
  if (ZIP_STARTS.some((mark) => start.startsWith(mark))) return 'zip'
  if (start.startsWith('\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1')) throw oleError(name, bytes)
  const byName = BY_EXTENSION[extensionOf(name)]
  if (byName === 'pdf' || isZipType(byName)) {
    const type = byName.toUpperCase()
    throw documentError(`${name} is no ${type} file, though its name says so; save it again as ${type} and add that.`)
  }
  if (isUnreadable(name) || start.startsWith('{\\rtf') || isBinary(bytes)) throw unknownKind(name)
  if (/^(?:\xEF\xBB\xBF)?\s*(?:<!doctype\s+html|<html[\s>])/i.test(start)) return 'html'
  if (byName !== undefined) return byName
  // README, LICENSE and the like.
  if (extensionOf(name) === '') return 'txt'
  throw unknownKind(name)
}

function isZipType(type: DocumentType | undefined): type is ZipType {
  return ZIP_TYPES.some((known) => known === type)
}

/** A file of none of the kinds that can be read. */
export function unknownKind(name: string): Error {
  const better = UNREADABLE[extensionOf(name)]
  if (better !== undefined) {
    return documentError(`${name} is of a kind that cannot be read; save it as ${better} and add that.`)
  }
  return documentError(`${name} is of a kind that cannot be read; save it as one of ${READABLE}.`)
}

/** Old Office files and encrypted new ones share a container. */
function oleError(name: string, bytes: Buffer): Error {
  if (bytes.includes(Buffer.from('EncryptedPackage', 'utf16le'))) {
    return documentError(`${name} is protected by a password; save it without one and add that.`)
  }
  const better = UNREADABLE[extensionOf(name)] ?? 'DOCX, XLSX or PPTX'
  if (better === 'EML') return unknownKind(name)
  return documentError(`${name} is in the format of Office 97 to 2003; save it as ${better} and add that.`)
}
