import { makeDemoData, type Row, type TableName } from '../demo/data.ts'

/** What the documents say of the business comes from its database, so that both agree. */
export interface Company {
  readonly rows: (table: TableName) => readonly Row[]
  /** `Lars Bellander`: the first of the people with this job title. */
  readonly person: (jobTitle: string) => string
  /** All of them. */
  readonly people: (jobTitle: string) => readonly string[]
  readonly product: (name: string) => Row
}

export function readCompany(): Company {
  const data = makeDemoData()
  const people = (jobTitle: string): string[] =>
    data.employees
      .filter((row) => row['job_title'] === jobTitle)
      .map((row) => `${row['first_name']} ${row['last_name']}`)
  return {
    rows: (table) => data[table],
    people,
    person: (jobTitle) => found(people(jobTitle)[0], jobTitle),
    product: (name) =>
      found(
        data.products.find((row) => row['name'] === name),
        name,
      ),
  }
}

/** `1,234.50 EUR`. */
export function euro(amount: unknown): string {
  return `${Number(amount).toLocaleString('en-GB', { minimumFractionDigits: 2, maximumFractionDigits: 2 })} EUR`
}

function found<T>(value: T | undefined, name: string): T {
  if (value === undefined) throw new RangeError(`The demo business has no ${name}.`)
  return value
}
