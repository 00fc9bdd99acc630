/** What businesses call their things, and the habits by which names are written. */

/** The things of a business: who comes, who works there, what is handed out, each time it is, and what comes back. */
export interface Domain {
  readonly party: string
  readonly staff: string
  readonly item: string
  readonly kind: string
  readonly event: string
  readonly line: string
  readonly back: string
  /** What is done to an event in the end, as a participle: `shipped`. */
  readonly done: string
  /** What is done to a line or item by `back`: `returned`. */
  readonly undone: string
  /** Does the business sell? Then revenue, units and “sold” mean something. */
  readonly sells: boolean
}

export const DOMAINS: readonly Domain[] = [
  {
    party: 'customer',
    staff: 'salesperson',
    item: 'product',
    kind: 'category',
    event: 'order',
    line: 'order line',
    back: 'return',
    done: 'shipped',
    undone: 'returned',
    sells: true,
  },
  {
    party: 'client',
    staff: 'agent',
    item: 'article',
    kind: 'brand',
    event: 'invoice',
    line: 'invoice item',
    back: 'refund',
    done: 'paid',
    undone: 'refunded',
    sells: true,
  },
  {
    party: 'member',
    staff: 'librarian',
    item: 'book',
    kind: 'subject',
    event: 'loan',
    line: 'loan item',
    back: 'complaint',
    done: 'collected',
    undone: 'damaged',
    sells: false,
  },
  {
    party: 'patient',
    staff: 'doctor',
    item: 'treatment',
    kind: 'ward',
    event: 'visit',
    line: 'visit detail',
    back: 'complaint',
    done: 'billed',
    undone: 'rejected',
    sells: false,
  },
  {
    party: 'driver',
    staff: 'mechanic',
    item: 'part',
    kind: 'brand',
    event: 'repair',
    line: 'repair line',
    back: 'claim',
    done: 'finished',
    undone: 'claimed',
    sells: false,
  },
]

export interface Style {
  readonly name: string
  readonly table: (words: string) => string
  readonly column: (words: string, table: string) => string
  readonly flag: 'boolean' | 'integer' | 'yes' | 'digit'
  readonly declared: boolean
}

const capital = (w: string): string => w.slice(0, 1).toUpperCase() + w.slice(1)
const pascal = (words: string): string => words.split(' ').map(capital).join('')
export const many = (noun: string): string =>
  /[^aeiou]y$/.test(noun) ? `${noun.slice(0, -1)}ies` : /(ch|s|x)$/.test(noun) ? `${noun}es` : `${noun}s`
const SHORT: Readonly<Record<string, string>> = {
  customer: 'cust',
  product: 'prod',
  employee: 'emp',
  quantity: 'qty',
  category: 'cat',
  number: 'no',
  date: 'dt',
  amount: 'amt',
  status: 'sts',
  order: 'ord',
  name: 'nm',
  invoice: 'inv',
}
const short = (words: string): string =>
  words
    .split(' ')
    .map((w) => SHORT[w] ?? w)
    .join('_')

export const STYLES: readonly Style[] = [
  {
    name: 'snake',
    table: (w) => many(w).replaceAll(' ', '_'),
    column: (w) => w.replaceAll(' ', '_'),
    flag: 'boolean',
    declared: true,
  },
  {
    name: 'pascal',
    table: pascal,
    column: (w, t) => (w === 'id' ? pascal(t) + 'Id' : pascal(w)),
    flag: 'integer',
    declared: true,
  },
  {
    name: 'prefix',
    table: (w) => `sb${pascal(w)}`,
    column: (w, t) => `sb${w === 'id' ? pascal(t) : ''}${pascal(w)}`,
    flag: 'digit',
    declared: true,
  },
  {
    name: 'fused',
    table: (w) => many(w).replaceAll(' ', ''),
    column: (w, t) => (w === 'id' ? `${t}id` : w).replaceAll(' ', ''),
    flag: 'yes',
    declared: true,
  },
  {
    name: 'short',
    table: (w) => `tbl_${short(w)}`,
    column: (w, t) => (w === 'id' ? `${short(t)}_id` : short(w)),
    flag: 'yes',
    declared: false,
  },
]

export type Thing = 'party' | 'staff' | 'item' | 'kind' | 'event' | 'line' | 'back'
