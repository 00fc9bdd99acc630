/** What reading one file may cost. */
export interface ReadLimits {
  /** Size of the file. */
  readonly fileBytes: number
  /** What a zip-based file (DOCX, XLSX) may unpack to, and the number of its entries. */
  readonly unzippedBytes: number
  readonly zipEntries: number
  /** Characters of text in it, and passages that they are cut into. */
  readonly characters: number
  readonly chunks: number
  /** Time for parsing and cutting, at the most: a small file is given less. It is given again where the processor was busy with other things. */
  readonly timeMs: number
  /** JavaScript heap and resident memory of the process that reads it. */
  readonly heapMb: number
  readonly residentMb: number
}

export const DEFAULT_LIMITS: ReadLimits = {
  fileBytes: 150_000_000,
  unzippedBytes: 400_000_000,
  zipEntries: 20_000,
  characters: 20_000_000,
  chunks: 100_000,
  timeMs: 60_000,
  heapMb: 1024,
  residentMb: 1536,
}
