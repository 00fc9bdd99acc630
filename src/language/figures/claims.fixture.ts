import { tableFromArrays } from '../../core/table.ts'
import { CUSTOMERS, GENRES, type Case } from './answers.fixture.ts'

const TERMS =
  'Section 4.2. The warranty lasts 24 months, a return takes 14 days. A fee of 12.50 EUR applies. The price is 1,200 EUR net, VAT 19%.'
const TICKETS = tableFromArrays(
  ['agent', 'open_tickets'],
  [
    ['Ann', 3],
    ['Bob', 1],
    ['Cid', 2],
  ],
)
const REGIONS = tableFromArrays(
  ['region', 'share_percent', 'revenue_eur'],
  [
    ['North', 59, 590],
    ['Rock and Sand', 41, 410],
  ],
)
const YEARS = tableFromArrays(
  ['year', 'revenue'],
  [
    [2023, 40],
    [2024, 81],
  ],
)

const VISITS = tableFromArrays(
  ['month', 'visits'],
  [
    ['2025-03', 1350],
    ['2025-02', 1700],
    ['2025-01', 1000],
  ],
)
const SPENT = tableFromArrays(
  ['customer', 'amount'],
  [
    ['C-101', 500],
    ['C-102', 900],
    ['C-103', 720],
  ],
)

const SALES = tableFromArrays(
  ['year', 'revenue'],
  [
    [2023, 1000],
    [2024, 1200],
    [2025, 900],
  ],
)
const MEDIAN = tableFromArrays(['median_invoice_total'], [[631.48]])
const ORDERS = tableFromArrays(
  ['order_id', 'channel'],
  [
    [843, 'email'],
    [852, 'phone'],
  ],
)
const NO_CUSTOMERS = tableFromArrays(['customers'], [[0]])
const FEE = 'Die Gebühr beträgt 20 Euro.'

/** Units, rows, numbers in words, denials, superlatives and trends, right and wrong. */
export const CLAIMS: readonly Case[] = [
  { answer: 'The median invoice total is 631.48.', tables: [MEDIAN] },
  { answer: 'The median invoice total is 681.48.', tables: [MEDIAN], unfounded: ['681.48'] },
  {
    answer: '2 orders by “Greenway Freight” in September 2026: 843; 852.',
    texts: ['Greenway Freight in September 2026'],
    tables: [ORDERS],
  },
  { answer: 'The warranty lasts 24 days.', texts: [TERMS], unfounded: ['24'] },
  { answer: 'The warranty lasts 24 months (2 years).', texts: [TERMS] },
  { answer: 'The warranty lasts two years.', texts: [TERMS] },
  { answer: 'The warranty lasts one year.', texts: [TERMS], unfounded: ['one'] },
  { answer: 'The warranty lasts half a year.', texts: [TERMS], unfounded: ['half a year'] },
  { answer: 'The warranty lasts 4.2 months.', texts: [TERMS], unfounded: ['4.2'] },
  { answer: 'The warranty lasts 24 to 14 months.', texts: [TERMS], unfounded: ['14'] },
  { answer: 'A return takes two weeks.', texts: [TERMS] },
  { answer: 'There are 14 orders.', texts: [TERMS], unfounded: ['14'] },
  { answer: 'A return takes 38 days in all, of 14 days and 24 months.', texts: [TERMS], unfounded: ['38'] },
  { answer: 'The fee is €12.50.', texts: [TERMS] },
  { answer: 'The fee is $12.50.', texts: [TERMS], unfounded: ['$12.50'] },
  { answer: 'VAT is 228 EUR, the gross price 1,428 EUR.', texts: [TERMS] },
  { answer: 'VAT is 228 USD.', texts: [TERMS], unfounded: ['228'] },
  { answer: 'North made 590 euros.', tables: [REGIONS] },
  { answer: 'North made 590 dollars.', tables: [REGIONS], unfounded: ['590'] },
  { answer: 'North has 41%.', tables: [REGIONS], unfounded: ['41%'] },
  { answer: 'Rock and Sand has 41 percent of the revenue.', tables: [REGIONS] },
  { answer: 'North made 1.4 times as much as Rock and Sand.', tables: [REGIONS] },
  { answer: 'Rock and Sand made 1.4 times as much as North.', tables: [REGIONS], unfounded: ['1.4'] },
  { answer: 'Half of the revenue came from Rock and Sand.', tables: [REGIONS], unfounded: ['Half'] },
  { answer: 'A third came from North.', tables: [REGIONS], unfounded: ['A third'] },
  { answer: 'Revenue doubled.', tables: [YEARS] },
  { answer: 'Revenue tripled.', tables: [YEARS], unfounded: ['tripled'] },
  { answer: '2024: 81', tables: [YEARS] },
  { answer: 'In 2024, revenue was 40.', tables: [YEARS], unfounded: ['40'] },
  { answer: 'It went from 81 in 2023 to 40 in 2024.', tables: [YEARS], unfounded: ['81', '40'] },
  { answer: 'January 2025 had 1,000, February 1,700 and March 1,350.', tables: [VISITS] },
  { answer: 'Feb. had 1,350.', tables: [VISITS], unfounded: ['1,350'] },
  { answer: 'Visits fell by 20.6% in March 2025.', tables: [VISITS] },
  { answer: 'Visits rose by 20.6% in March 2025.', tables: [VISITS], unfounded: ['20.6%'] },
  { answer: 'C-101 spent 900.', tables: [SPENT], unfounded: ['900'] },
  { answer: 'C-101 spent 2,120.', tables: [SPENT], unfounded: ['2,120'] },
  { answer: 'C-101 spent 500 of a total of 2,120.', tables: [SPENT] },
  { answer: 'Without C-101, it would be 1,620.', tables: [SPENT] },
  { answer: 'Revenue doubled.', tables: [GENRES], unfounded: ['doubled'] },
  { answer: 'Bob has 2 open tickets.', tables: [TICKETS], unfounded: ['2'] },
  { answer: 'Bob has 3 open tickets.', tables: [TICKETS], unfounded: ['3'] },
  { answer: 'Bob is one of the 3 agents.', tables: [TICKETS] },
  { answer: '| Bob | 2 |', tables: [TICKETS], unfounded: ['2'] },
  { answer: 'Jazz made the most revenue.', tables: [GENRES], unfounded: ['Jazz made the most revenue.'] },
  { answer: 'Rock made the most revenue, ahead of Jazz.', tables: [GENRES] },
  { answer: 'Jazz is not the largest, Latin no more than second.', tables: [GENRES] },
  { answer: 'Latin is the most recent genre.', tables: [GENRES] },
  { answer: '**Customer Service** has 92 of it, and the rest is in the list.', tables: [CUSTOMERS] },
  {
    answer: 'There are 92 inactive customers.',
    question: 'How many active customers are there?',
    tables: [CUSTOMERS],
    unfounded: ['inactive'],
  },
  {
    answer: 'There are 92 inactive customers.',
    question: 'How many inactive customers are there?',
    tables: [CUSTOMERS],
  },
  { answer: 'There are 92 unpaid invoices.', question: 'How many invoices are open?', tables: [CUSTOMERS] },
  {
    answer: 'Of the customers 92 are active, 92 inactive customers are not counted.',
    question: 'How many active customers are there?',
    tables: [CUSTOMERS],
  },
  { answer: 'There are no customers.', tables: [CUSTOMERS], unfounded: ['no customers'] },
  {
    answer: 'There are zero customers in the database.',
    tables: [CUSTOMERS],
    unfounded: ['zero customers in the database'],
  },
  { answer: 'Es gibt keine customers.', tables: [CUSTOMERS], unfounded: ['keine customers'] },
  { answer: 'There are 92 customers, and no customers without an order are counted.', tables: [CUSTOMERS] },
  { answer: 'There are no orders.', tables: [CUSTOMERS] },
  { answer: 'There are no customers.', tables: [NO_CUSTOMERS] },
  { answer: 'Es gibt dreiundneunzig Kunden.', tables: [CUSTOMERS], unfounded: ['dreiundneunzig'] },
  { answer: 'Es gibt zweiundneunzig Kunden.', tables: [CUSTOMERS] },
  { answer: 'Il y a quatre-vingt-treize clients.', tables: [CUSTOMERS], unfounded: ['quatre-vingt-treize'] },
  { answer: 'Il y a quatre-vingt-douze clients.', tables: [CUSTOMERS] },
  { answer: 'Hay noventa y tres clientes.', tables: [CUSTOMERS], unfounded: ['noventa y tres'] },
  { answer: 'Hay noventa y dos clientes.', tables: [CUSTOMERS] },
  { answer: 'Há noventa e três clientes.', tables: [CUSTOMERS], unfounded: ['noventa e três'] },
  { answer: 'Há noventa e dois clientes.', tables: [CUSTOMERS] },
  { answer: 'Ci sono novantatré clienti.', tables: [CUSTOMERS], unfounded: ['novantatré'] },
  { answer: 'Ci sono novantadue clienti.', tables: [CUSTOMERS] },
  { answer: 'Er zijn drieënnegentig klanten.', tables: [CUSTOMERS], unfounded: ['drieënnegentig'] },
  { answer: 'Er zijn tweeënnegentig klanten.', tables: [CUSTOMERS] },
  { answer: '顧客は九十三人です。', tables: [CUSTOMERS], unfounded: ['九十三'] },
  { answer: '顧客は九十二人です。', tables: [CUSTOMERS] },
  { answer: 'Die Gebühr beträgt zwanzig Euro.', texts: [FEE] },
  { answer: 'Die Gebühr beträgt zweihundert Euro.', texts: [FEE], unfounded: ['zweihundert'] },
  {
    answer: 'Jazz is the strongest genre by revenue.',
    tables: [GENRES],
    unfounded: ['Jazz is the strongest genre by revenue.'],
  },
  { answer: 'Jazz is the weakest genre.', tables: [GENRES] },
  { answer: 'Latin is the second strongest genre.', tables: [GENRES] },
  { answer: '2024 was the best year.', tables: [SALES] },
  { answer: '2025 was the best year.', tables: [SALES], unfounded: ['2025 was the best year.'] },
  { answer: 'Revenue rose from 1,200 to 900.', tables: [SALES], unfounded: ['rose from 1,200 to 900'] },
  { answer: 'Revenue fell from 1,200 to 900.', tables: [SALES] },
  { answer: 'Revenue grew every year.', tables: [SALES], unfounded: ['Revenue grew every year.'] },
  { answer: 'Revenue did not grow every year.', tables: [SALES] },
]
