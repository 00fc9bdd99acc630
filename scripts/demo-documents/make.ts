import { readCompany } from './company.ts'
import { renderDocx } from './docx.ts'
import { employeeHandbook } from './employee-handbook.ts'
import { renderPdf } from './pdf.ts'
import { priceList } from './price-list.ts'
import { returnsPolicy } from './returns-policy.ts'
import { supplierContract } from './supplier-contract.ts'

const WRITTEN_AT = new Date('2026-01-05T09:00:00Z')

/** The binary documents of the demo business by their file names. The same version of Tutti always makes the same bytes. */
export async function makeDemoDocuments(): Promise<ReadonlyMap<string, Buffer>> {
  const company = readCompany()
  return new Map([
    ['returns-policy.pdf', await renderPdf(returnsPolicy(company), WRITTEN_AT)],
    ['supplier-contract.pdf', await renderPdf(supplierContract(company), WRITTEN_AT)],
    ['employee-handbook.docx', await renderDocx(employeeHandbook(company), WRITTEN_AT)],
    ['price-list-2026.xlsx', await priceList(company, WRITTEN_AT)],
  ])
}
