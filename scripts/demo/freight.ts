/** What the carriers bill Brindlemoor, and the contracts with them: small books of their own, in which six things are wrong. */
import Database from 'libsql'

const INVOICES = 20

export const CARRIERS = ['Swiftline Parcel', 'Greenway Freight', 'Harbour Couriers']

/** Contracts by lane: what a pallet costs. */
const LANES: readonly (readonly [lane: string, unitPrice: number])[] = [
  ['Dublin – Cork', 62],
  ['Dublin – Belfast', 58.5],
  ['Dublin – Liverpool', 118],
  ['Dublin – Rotterdam', 164],
  ['Dublin – Hamburg', 189.5],
  ['Cork – Roscoff', 141],
]

/** Where an invoice is not as its contract says. */
const PLANTED: Readonly<Record<number, Partial<Invoice>>> = {
  3: { unit_price: 126 },
  6: { currency: 'GBP' },
  9: { unit_price: 85.5 },
  12: { contract_id: 'FC-99' },
  15: { unit_price: 146 },
  18: { unit_price: 159.75 },
}

interface Invoice {
  readonly invoice_id: string
  readonly contract_id: string
  readonly invoice_date: string
  readonly pallets: number
  readonly unit_price: number
  readonly currency: string
}

const contracts = LANES.map(([lane, unit_price], at) => ({
  contract_id: `FC-${at + 1}`,
  carrier: CARRIERS[at % CARRIERS.length]!,
  lane,
  unit_price,
  currency: 'EUR',
}))

const invoices = Array.from({ length: INVOICES }, (_none, at): Invoice => {
  const n = at + 1
  const { contract_id, unit_price, currency } = contracts[at % contracts.length]!
  const invoice_date = new Date(Date.UTC(2026, 8, 1 + 3 * at)).toISOString().slice(0, 10)
  const pallets = 2 + ((at * 5) % 7)
  return {
    invoice_id: `FI-${100 + n}`,
    contract_id,
    invoice_date,
    pallets,
    unit_price,
    currency,
    ...PLANTED[n],
  }
})

/** Which invoices a check has to find, and no others. */
export const DEVIATING_INVOICES: readonly string[] = Object.keys(PLANTED).map(
  (n) => invoices[Number(n) - 1]!.invoice_id,
)

/** Writes them as a new SQLite file. */
export function writeFreight(path: string): void {
  const database = new Database(path)
  try {
    database.exec(`PRAGMA journal_mode = OFF;
      CREATE TABLE contracts (contract_id VARCHAR(8) NOT NULL PRIMARY KEY, carrier VARCHAR(40) NOT NULL,
        lane VARCHAR(40) NOT NULL, unit_price REAL NOT NULL, currency CHAR(3) NOT NULL);
      CREATE TABLE invoices (invoice_id VARCHAR(8) NOT NULL PRIMARY KEY, contract_id VARCHAR(8) NOT NULL,
        invoice_date DATE NOT NULL, pallets INTEGER NOT NULL, unit_price REAL NOT NULL, currency CHAR(3) NOT NULL)`)
    for (const [table, rows] of Object.entries({ contracts, invoices })) {
      const marks = Object.keys(rows[0]!).map(() => '?')
      const insert = database.prepare(`INSERT INTO ${table} VALUES (${marks.join(', ')})`)
      for (const row of rows) insert.run(Object.values(row))
    }
  } finally {
    database.close()
  }
}
