import ExcelJs from 'exceljs'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { createXlsx } from './xlsx.ts'

/** What another program reads of it. */
async function readBack(table: Parameters<typeof createXlsx>[0]): Promise<unknown[][]> {
  const book = new ExcelJs.Workbook()
  await book.xlsx.load(await createXlsx(table).arrayBuffer())
  const rows: unknown[][] = []
  const [sheet] = book.worksheets
  sheet!.eachRow({ includeEmpty: true }, (row) => {
    rows.push(table.columns.map((_name, at) => row.getCell(at + 1).value))
  })
  return rows
}

const text = fc.oneof(
  fc.string({ unit: 'grapheme', minLength: 1 }).filter((one) => !/\p{Cc}/u.test(one)),
  fc.constantFrom(
    '=1+1',
    '+49 30',
    '-x',
    '@a',
    '<b>&amp;"\'',
    '007',
    '12345678901234567890',
    '1e5',
    ' two  spaces ',
    'a\nb',
  ),
)
const number = fc.oneof(
  fc.integer(),
  fc.integer({ min: -1e9, max: 1e9 }).map((cents) => (cents / 100).toFixed(2)),
)

it('a table is the same in a spreadsheet: numbers as numbers, all other values as text', async () => {
  const line = fc.tuple(text, number, fc.constant(null))
  await fc.assert(
    fc.asyncProperty(fc.array(line, { minLength: 1, maxLength: 12 }), async (lines) => {
      const columns = ['name & more', 'amount', 'nothing']
      const rows = lines.map((cells) => Object.fromEntries(cells.map((cell, at) => [columns[at], cell])))
      const [head, ...read] = await readBack({ columns, rows })
      expect(head).toEqual(columns)
      expect(read).toEqual(
        lines.map(([name, amount]) => [/^(?:0|[1-9]\d{0,14})$/.test(name) ? Number(name) : name, Number(amount), null]),
      )
    }),
    { numRuns: 60 },
  )
})

it('characters that XML cannot hold are removed, and the rest stays', async () => {
  const [, row] = await readBack({ columns: ['a'], rows: [{ a: 'x\u0000\u001By\uD800z' }] })
  expect(row).toEqual(['xyz'])
})
