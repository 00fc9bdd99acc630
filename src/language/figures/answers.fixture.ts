import type { Table } from '../../core/table.ts'
import { tableFromArrays } from '../../core/table.ts'

export interface Case {
  readonly answer: string
  readonly question?: string
  readonly texts?: readonly string[]
  readonly tables?: readonly Table[]
  /** What stands nowhere, as printed; absent: nothing. */
  readonly unfounded?: readonly string[]
}

const GENRES = tableFromArrays(
  ['genre', 'tracks', 'revenue'],
  [
    ['Rock', 835, 826.65],
    ['Latin', 386, 382.14],
    ['Metal', 264, 261.36],
    ['Jazz', 80, 79.2],
  ],
)
const MONTHS = tableFromArrays(
  ['month', 'orders'],
  [
    ['2026-07', 120],
    ['2026-08', 90],
    ['2026-09', 135],
  ],
)
const one = (column: string, value: unknown): Table => tableFromArrays([column], [[value]])
const CUSTOMERS = one('customers', 92)
const MONEY = one('revenue', 1234567.891)
const RETURNS = tableFromArrays(['orders', 'refund'], [[3, 218.09]])
const POLICY =
  'Goods that arrive damaged must be reported within seven days of delivery. The refund is 100 % of the price, paid by 31 March 2026. Ask for form RET-0042 or write to returns@example.com.'
const EMPTY = tableFromArrays(['customer'], [])
const SHARES = one('share', 0.1234)
const PEOPLE = tableFromArrays(
  ['name', 'country', 'spent'],
  [
    ['Ada', 'UK', 10],
    ['Bo', 'SE', 20],
    ['Cy', 'UK', 31],
    ['Di', 'UK', 40],
  ],
)

/** Answers, right and wrong, with what was found. */
export const ANSWERS: readonly Case[] = [
  { answer: 'There are 92 customers.', tables: [CUSTOMERS] },
  { answer: 'There are 93 customers.', tables: [CUSTOMERS], unfounded: ['93'] },
  { answer: 'There are ninety-two customers.', tables: [CUSTOMERS] },
  { answer: 'There are ninety-three customers.', tables: [CUSTOMERS], unfounded: ['ninety-three'] },
  {
    answer: 'Four thousand two hundred and seventeen customers.',
    tables: [CUSTOMERS],
    unfounded: ['Four thousand two hundred and seventeen'],
  },
  { answer: 'Es gibt 92 Kunden.', tables: [CUSTOMERS] },
  { answer: 'There are 920 customers.', tables: [CUSTOMERS], unfounded: ['920'] },
  { answer: 'There are 9,200 customers.', tables: [CUSTOMERS], unfounded: ['9,200'] },
  { answer: 'There are ٩٢ customers.', tables: [CUSTOMERS] },
  { answer: 'There are ９３ customers.', tables: [CUSTOMERS], unfounded: ['93'] },
  { answer: 'Revenue is 1,234,567.89.', tables: [MONEY] },
  { answer: 'Revenue is 1.234.567,89 €.', tables: [MONEY] },
  { answer: 'Revenue is Rs.12,34,567.89.', tables: [MONEY] },
  { answer: "Revenue is 1'234'567.89.", tables: [MONEY] },
  { answer: 'Revenue is 1 234 567,89.', tables: [MONEY] },
  { answer: 'Revenue is 1\u202F234\u202F568.', tables: [MONEY] },
  { answer: 'Revenue is $1.2M.', tables: [MONEY] },
  { answer: 'Revenue is about 1.23 million.', tables: [MONEY] },
  { answer: 'Revenue is 1.3 million.', tables: [MONEY], unfounded: ['1.3'] },
  { answer: 'Revenue is over 1,200,000.', tables: [MONEY] },
  { answer: 'Revenue is over 1,300,000.', tables: [MONEY], unfounded: ['1,300,000'] },
  { answer: 'Revenue is 1,234,567.98.', tables: [MONEY], unfounded: ['1,234,567.98'] },
  { answer: 'Revenue is 1,243,567.89.', tables: [MONEY], unfounded: ['1,243,567.89'] },
  { answer: 'Rock leads with 835 tracks, before Latin (386).', tables: [GENRES] },
  { answer: 'Rock leads with 853 tracks, before Latin (386).', tables: [GENRES], unfounded: ['853'] },
  { answer: 'All four genres have 1,565 tracks.', tables: [GENRES] },
  { answer: 'All four genres have 1,656 tracks.', tables: [GENRES], unfounded: ['1,656'] },
  { answer: 'All five genres have 1,565 tracks.', tables: [GENRES], unfounded: ['five'] },
  { answer: 'Rock has 449 more tracks than Latin.', tables: [GENRES] },
  { answer: 'Rock has 494 more tracks than Latin.', tables: [GENRES], unfounded: ['494'] },
  { answer: 'Rock makes 53.4% of all tracks.', tables: [GENRES] },
  { answer: 'Rock makes 53 percent of all tracks.', tables: [GENRES] },
  { answer: 'Rock makes 35.4% of all tracks.', tables: [GENRES], unfounded: ['35.4%'] },
  { answer: 'A genre has 391.25 tracks on average.', tables: [GENRES] },
  { answer: 'A genre has 319.25 tracks on average.', tables: [GENRES], unfounded: ['319.25'] },
  { answer: 'The first two together have 1,221 tracks.', tables: [GENRES] },
  { answer: 'A Rock track earned 0.99.', tables: [GENRES] },
  { answer: 'A Rock track earned 0.89.', tables: [GENRES], unfounded: ['0.89'] },
  { answer: 'In July 2026 there were 120 orders.', tables: [MONTHS] },
  { answer: 'In June 2026 there were 120 orders.', tables: [MONTHS], unfounded: ['June 2026'] },
  { answer: 'In Q3 2026 there were 345 orders.', tables: [MONTHS] },
  { answer: 'In Q2 2026 there were 345 orders.', tables: [MONTHS], unfounded: ['Q2 2026'] },
  { answer: 'Orders fell by 25% in August and rose by 50% in September.', tables: [MONTHS] },
  { answer: 'Orders fell by 52% in August.', tables: [MONTHS], unfounded: ['52%'] },
  { answer: 'Three orders were returned; each cost 72.70 on average.', tables: [RETURNS] },
  { answer: 'Three orders were returned; each cost 77.20 on average.', tables: [RETURNS], unfounded: ['77.20'] },
  { answer: '3 Bestellungen kosteten 218,09 €.', tables: [RETURNS] },
  { answer: '3 Bestellungen kosteten 281,09 €.', tables: [RETURNS], unfounded: ['281,09'] },
  { answer: 'Report damage within 7 days [1].', texts: [POLICY] },
  { answer: 'Report damage within 14 days [1].', texts: [POLICY], unfounded: ['14'] },
  { answer: 'Report damage within fourteen days.', texts: [POLICY], unfounded: ['fourteen'] },
  { answer: 'You get 100% back by 31/03/2026.', texts: [POLICY] },
  { answer: 'You get 100% back by 2026-03-31.', texts: [POLICY] },
  { answer: 'You get 100% back by March 31st, 2026.', texts: [POLICY] },
  { answer: 'Sie bekommen es am 31. März 2026 zurück.', texts: [POLICY] },
  { answer: 'You get 100% back by 30 March 2026.', texts: [POLICY], unfounded: ['30 March 2026'] },
  { answer: 'You get 100% back by March 2025.', texts: [POLICY], unfounded: ['March 2025'] },
  { answer: 'The form is RET-0042.', texts: [POLICY] },
  { answer: 'The form is RET-0043.', texts: [POLICY], unfounded: ['RET-0043'] },
  { answer: 'Write to refunds@example.com.', texts: [POLICY], unfounded: ['refunds@example.com'] },
  { answer: 'It says “must be reported within seven days … of delivery”.', texts: [POLICY] },
  {
    answer: 'It says “must be reported within nine days”.',
    texts: [POLICY],
    unfounded: ['must be reported within nine days'],
  },
  { answer: 'The best customer is "Acme Corp".', tables: [PEOPLE], unfounded: ['Acme Corp'] },
  { answer: 'The best customer is "Di".', tables: [PEOPLE] },
  { answer: 'There are 0 such customers.', tables: [EMPTY] },
  { answer: 'There are zero such customers.', tables: [EMPTY] },
  { answer: 'There is 1 such customer.', tables: [EMPTY], unfounded: ['1'] },
  { answer: 'Their share is 12.34%.', tables: [SHARES] },
  { answer: 'Their share is 12.3 %.', tables: [SHARES] },
  { answer: 'Their share is 21.3 %.', tables: [SHARES], unfounded: ['21.3%'] },
  { answer: 'Three of the four customers are from the UK (75%).', tables: [PEOPLE] },
  { answer: 'Those from the UK spent 81, or 27 each.', tables: [PEOPLE] },
  { answer: 'Those from the UK spent 18.', tables: [PEOPLE], unfounded: ['18'] },
  { answer: 'Two customers spent more than 25: Cy and Di.', question: 'Who spent more than 25?', tables: [PEOPLE] },
  { answer: 'Twice 46 is 92.', question: 'double that', texts: ['There are 46 orders.'] },
  { answer: 'In 2025 there were 92 customers.', question: 'How many customers in 2025?', tables: [CUSTOMERS] },
  {
    answer: 'In 2024 there were 92 customers.',
    question: 'How many customers in 2025?',
    tables: [CUSTOMERS],
    unfounded: ['2024'],
  },
  { answer: '1. Rock\n2. Latin\n', tables: [GENRES] },
  { answer: 'Of 92 customers 1 is inactive.', tables: [CUSTOMERS], unfounded: ['1'] },
  { answer: 'There is 1 such customer: Bo.', tables: [tableFromArrays(['name', 'spent'], [['Bo', 20]])] },
  { answer: 'The net change was -92.', tables: [CUSTOMERS], unfounded: ['-92'] },
  { answer: 'Orders changed by -30 in August.', tables: [MONTHS] },
  { answer: 'Orders changed by -25% in August.', tables: [MONTHS] },
  { answer: 'The balance rose to 1,200.', tables: [one('balance', -1200)], unfounded: ['1,200'] },
  { answer: 'The balance is -1,200.', tables: [one('balance', -1200)] },
  { answer: 'We made a loss of 1,200.', tables: [one('balance', -1200)] },
  { answer: 'Wir haben 1.200 Euro verloren.', tables: [one('balance', -1200)] },
  { answer: 'We reached 92% of plan.', tables: [CUSTOMERS], unfounded: ['92%'] },
  { answer: 'We reached 92% of plan.', texts: ['92'], unfounded: ['92%'] },
  { answer: 'We reached 92% of plan.', tables: [one('share_of_plan', 92)] },
  { answer: 'You get 15% off.', texts: ['{"discount_percent": 15}'] },
  { answer: 'Rock has 386 tracks and Latin 835.', tables: [GENRES], unfounded: ['386', '835'] },
  { answer: 'Rock has 835 tracks and Latin 386.', tables: [GENRES] },
  { answer: 'Rock and Latin have 835 and 386 tracks.', tables: [GENRES] },
  { answer: 'Latin, behind Rock, has 386 tracks and the first 835.', tables: [GENRES] },
  { answer: 'Rock | 386 | 382.14', tables: [GENRES], unfounded: ['386'] },
  { answer: 'Metal has 835 tracks.', texts: ['835', '264'], tables: [GENRES], unfounded: ['835'] },
  { answer: 'The customers:\n1) Rock\n2) Latin\n', tables: [GENRES] },
  { answer: 'There are 92 customers. Inactive ones:\n42.', tables: [CUSTOMERS], unfounded: ['42'] },
  { answer: 'Inactive ones:\n42. That is all.', tables: [CUSTOMERS], unfounded: ['42'] },
  { answer: 'Inactive ones:\n- 17. ', tables: [CUSTOMERS], unfounded: ['17'] },
  { answer: '17) open orders', tables: [CUSTOMERS], unfounded: ['17'] },
  { answer: '1. Rock\n17. Latin', tables: [GENRES], unfounded: ['17'] },
  { answer: '| Rock | 835 |\n| Latin | 368 |\n', tables: [GENRES], unfounded: ['368'] },
  { answer: 'Rock ranks 1st, Jazz 4th.', tables: [GENRES] },
  { answer: 'Rock ranks 7th.', tables: [GENRES], unfounded: ['7'] },
  { answer: 'It arrived at 2:30 pm.', texts: ['Delivered 2026-03-05T14:30:00Z'] },
  { answer: 'It arrived at 3:30 pm.', texts: ['Delivered 2026-03-05T14:30:00Z'], unfounded: ['3:30 pm'] },
  { answer: 'From 1 to 31 July 2026.', texts: ['2026-07-01 to 2026-07-31'] },
  { answer: 'From 2 to 31 July 2026.', texts: ['2026-07-01 to 2026-07-31'], unfounded: ['2 to 31 July 2026'] },
  { answer: 'Between 80 and 835 tracks.', tables: [GENRES] },
  { answer: 'Between 80–853 tracks.', tables: [GENRES], unfounded: ['853'] },
]
