import exceljs from 'exceljs'
import { makeDemoData, type Row } from '../demo/data.ts'
import { withFixedTimes } from './zip-times.ts'

const HEAD = ['Article', 'Product', 'Unit', 'List price (EUR)', 'Group', 'Since']
const WIDTHS = [12, 30, 14, 18, 20, 14]

/** The products that are for sale, coffee on one sheet and everything else on the other, as a workbook. */
export async function priceList(writtenAt: Date): Promise<Buffer> {
  const data = makeDemoData()
  const workbook = new exceljs.Workbook()
  workbook.creator = 'Brindlemoor Coffee'
  workbook.created = writtenAt
  workbook.modified = writtenAt
  const categories = new Map(data.categories.map((row) => [row['category_id'], row]))
  const groupOf = (product: Row): Row => categories.get(product['category_id']!)!
  const isCoffee = (product: Row): boolean =>
    categories.get(groupOf(product)['parent_category_id']!)?.['name'] === 'Coffee'
  const forSale = data.products.filter((row) => row['discontinued_on'] === null)
  for (const [name, products] of [
    ['Coffee', forSale.filter(isCoffee)],
    ['Equipment and supplies', forSale.filter((product) => !isCoffee(product))],
  ] as const) {
    const sheet = workbook.addWorksheet(name, { views: [{ state: 'frozen', ySplit: 1 }] })
    sheet.addRow(HEAD).font = { bold: true }
    for (const row of products) {
      const { sku, name: product, unit, list_price: price, introduced_on: since } = row
      sheet.addRow([sku, product, unit, price, groupOf(row)['name'], since])
    }
    sheet.columns.forEach((column, i) => (column.width = WIDTHS[i]!))
    sheet.getColumn(4).numFmt = '#,##0.00'
  }
  return withFixedTimes(Buffer.from(await workbook.xlsx.writeBuffer()))
}
