import { READABLE, type DocumentType } from '../types.ts'
import { documentError } from './document-error.ts'
import { isBinary } from '../../markup/charset.ts'

/** Type of a file by its first bytes. Archives are inspected later. */
export type FileKind = Exclude<DocumentType, ZipType> | 'zip'

/** Types that are ZIP archives. */
const ZIP_TYPES = ['docx', 'xlsx'] as const
export type ZipType = (typeof ZIP_TYPES)[number]

const BY_EXTENSION: Readonly<Record<string, DocumentType>> = {
  pdf: 'pdf',
  docx: 'docx',
  xlsx: 'xlsx',
  csv: 'csv',
  tsv: 'csv',
  txt: 'txt',
  text: 'txt',
  md: 'md',
  markdown: 'md',
  html: 'html',
  htm: 'html',
}

/** The name of a part in encrypted Office files. */
const ENCRYPTED = Buffer.from('EncryptedPackage', 'utf16le')
const ZIP_STARTS = ['PK\x03\x04', 'PK\x05\x06', 'PK\x07\x08']

/** Extensions of the supported files, without a dot. */
export const EXTENSIONS: readonly string[] = Object.keys(BY_EXTENSION)

/** The extension in lower case without the dot; empty if there is none. */
export function extensionOf(name: string): string {
  return /[^/\\]\.([^./\\]+)$/.exec(name)?.[1]?.toLowerCase() ?? ''
}

/**
 * Detects the type of a file by its content; of plain text by its name.
 * @throws TuttiError `DocumentError` for an unsupported file
 */
export function detectKind(name: string, bytes: Buffer): FileKind {
  if (bytes.length === 0) throw documentError(`${name} is empty; add a file that has content.`)
  const start = bytes.subarray(0, 1024).toString('latin1')
  if (start.includes('%PDF-')) return 'pdf'
  if (ZIP_STARTS.some((mark) => start.startsWith(mark))) return 'zip'
  // The container of encrypted Office files and of old ones.
  if (start.startsWith('\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1') && bytes.includes(ENCRYPTED)) {
    throw documentError(`${name} is protected by a password; save it without one and add that.`)
  }
  const typeByName = BY_EXTENSION[extensionOf(name)]
  if (typeByName === 'pdf' || isZipType(typeByName)) {
    const type = typeByName.toUpperCase()
    throw documentError(
      `${name} is not a valid ${type} file, despite its extension. Save it again as ${type} and add that.`,
    )
  }
  if (start.startsWith('{\\rtf') || isBinary(bytes)) throw unknownKind(name)
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
  return documentError(`${name} has an unsupported format; save it as one of ${READABLE}.`)
}
