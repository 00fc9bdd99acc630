import { readDemoDocument } from './blocks.ts'
import { renderDocx } from './docx.ts'
import { renderPdf } from './pdf.ts'
import { priceList } from './price-list.ts'

const WRITTEN_AT = new Date('2026-01-05T09:00:00Z')

/** The binary documents of the demo business by their file names. The same version of Tutti always makes the same bytes. */
export async function makeDemoDocuments(): Promise<ReadonlyMap<string, Buffer>> {
  return new Map([
    ['returns-policy.pdf', await renderPdf(readDemoDocument('returns-policy'), WRITTEN_AT)],
    ['supplier-contract.pdf', await renderPdf(readDemoDocument('supplier-contract'), WRITTEN_AT)],
    ['employee-handbook.docx', await renderDocx(readDemoDocument('employee-handbook'), WRITTEN_AT)],
    ['price-list-2026.xlsx', await priceList(WRITTEN_AT)],
  ])
}
