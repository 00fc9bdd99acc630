import type { ParsedDocument } from '../types.ts'
import type { ReadLimits } from './limits.ts'
import type { ZipEntry } from './zip.ts'

/** A file on its way through a parser. */
export interface Source {
  readonly name: string
  readonly bytes: Buffer
  readonly limits: ReadLimits
}

/** A file that is an archive, with its entries. */
export interface ZipSource extends Source {
  readonly entries: readonly ZipEntry[]
}

/** What a parser gives; the type is known before. */
export type Parsed = Omit<ParsedDocument, 'type'>
