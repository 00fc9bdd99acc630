import { readCompany } from './company.ts'
import { renderDocx } from './docx.ts'
import { employeeHandbook } from './employee-handbook.ts'
import { faq } from './faq.ts'
import { minutesOfSeptember } from './minutes.ts'
import { newsletterFromOutside } from './newsletter.ts'
import { renderPdf } from './pdf.ts'
import { renderHtml, renderMarkdown, renderText, shipmentsCsv } from './plain.ts'
import { priceList } from './price-list.ts'
import { returnsPolicy } from './returns-policy.ts'
import { roastingNotes } from './roasting-notes.ts'
import { supplierContract } from './supplier-contract.ts'

const WRITTEN_AT = new Date('2026-01-05T09:00:00Z')

/** The documents of the demo business by their file names. The same version of Tutti always makes the same bytes. */
export async function makeDemoDocuments(): Promise<ReadonlyMap<string, Buffer>> {
  const company = readCompany()
  const files: Readonly<Record<string, Buffer | string>> = {
    'returns-policy.pdf': await renderPdf(returnsPolicy(company), WRITTEN_AT),
    'supplier-contract.pdf': await renderPdf(supplierContract(company), WRITTEN_AT),
    'employee-handbook.docx': await renderDocx(employeeHandbook(company), WRITTEN_AT),
    'price-list-2026.xlsx': await priceList(company, WRITTEN_AT),
    'roasting-notes.md': renderMarkdown(roastingNotes(company)),
    'minutes-2026-09.txt': renderText(minutesOfSeptember(company)),
    'faq.html': renderHtml(faq(company)),
    'shipments.csv': shipmentsCsv(company),
    'newsletter-from-outside.md': renderMarkdown(newsletterFromOutside()),
  }
  return new Map(Object.entries(files).map(([name, content]) => [name, Buffer.from(content)]))
}
