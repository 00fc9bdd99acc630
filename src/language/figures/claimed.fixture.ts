import { tableFromArrays, type Table } from '../../core/table.ts'

const REGIONS = tableFromArrays(
  ['region', 'revenue', 'orders', 'customers'],
  [
    ['North', 4100, 22, 15],
    ['South', 3400, 31, 12],
    ['East', 2900, 18, 9],
    ['West', 1000, 9, 7],
  ],
)
const MONTHS = tableFromArrays(
  ['month', 'region', 'revenue'],
  [
    ['2025-01', 'North', 100],
    ['2025-01', 'South', 90],
    ['2025-02', 'North', 80],
    ['2025-02', 'South', 120],
  ],
)
const CUSTOMERS = tableFromArrays(
  ['customer', 'country', 'total_spent', 'order_count', 'avg_order_value', 'last_order_date'],
  [
    ['Ann Lee', 'UK', 1234.5, 12, 102.88, '2025-05-05'],
    ['Bob Ray', 'Spain', 990, 4, 247.5, '2025-04-30'],
    ['Cy Fox', 'UK', 500.25, 9, 55.58, '2025-01-12'],
  ],
)
const GENRES = tableFromArrays(
  ['genre', 'tracks', 'revenue'],
  [
    ['Rock', 835, 826.65],
    ['Latin', 386, 382.14],
    ['Metal', 264, 261.36],
    ['Jazz', 80, 79.2],
  ],
)
const REVIEWS = tableFromArrays(['average_rating', 'reviews'], [[4.2, 318]])

/** Answers that a person may read of a table, and whether what they say of it is so. */
export const SAID_OF_TABLES: readonly { readonly answer: string; readonly table: Table; readonly isRight: boolean }[] =
  [
    {
      answer:
        'North leads with revenue of 4,100 from 22 orders, followed by South (3,400, 31 orders) and East (2,900, 18 orders).',
      table: REGIONS,
      isRight: true,
    },
    { answer: 'The four regions made 11,400 in total, an average of 2,850 per region.', table: REGIONS, isRight: true },
    {
      answer: 'South has the most orders (31), although its revenue of 3,400 is below that of North.',
      table: REGIONS,
      isRight: true,
    },
    {
      answer:
        'Although South had more orders than North (31 versus 22), North had the higher revenue: 4,100 versus 3,400.',
      table: REGIONS,
      isRight: true,
    },
    {
      answer: 'Together, North and South account for 7,500 of the 11,400 total revenue (65.8%).',
      table: REGIONS,
      isRight: true,
    },
    { answer: 'North: 4,100 revenue, 22 orders, 15 customers', table: REGIONS, isRight: true },
    { answer: '- **North**: 22 orders, 4,100 in revenue', table: REGIONS, isRight: true },
    {
      answer:
        '| Region | Orders | Revenue |\n|---|---|---|\n| North | 22 | 4,100 |\n| South | 31 | 3,400 |\n| **Total** | 80 | 11,400 |\n',
      table: REGIONS,
      isRight: true,
    },
    { answer: 'North earned 700 more than South.', table: REGIONS, isRight: true },
    { answer: 'Revenue per order was 186.36 in North.', table: REGIONS, isRight: true },
    { answer: 'West is last with 9 orders and 1,000 of revenue.', table: REGIONS, isRight: true },
    { answer: 'West comes fourth, with 1,000.', table: REGIONS, isRight: true },
    { answer: 'South is first by orders and second by revenue.', table: REGIONS, isRight: true },
    { answer: 'East is third in revenue with 2,900, but only 18 orders.', table: REGIONS, isRight: true },
    { answer: 'The smallest region, West, made 1,000, which is 3,100 less than North.', table: REGIONS, isRight: true },
    { answer: 'In January 2025 North was ahead of South with 100 against 90.', table: MONTHS, isRight: true },
    { answer: 'In February South overtook North with 120 against 80.', table: MONTHS, isRight: true },
    { answer: 'In 2025-02 South had more revenue than North.', table: MONTHS, isRight: true },
    {
      answer: 'Ann Lee spent 1,234.50 over 12 orders, an average order value of 102.88.',
      table: CUSTOMERS,
      isRight: true,
    },
    {
      answer: 'Ann Lee from the UK spent the most (1,234.50); her last order was on 5 May 2025.',
      table: CUSTOMERS,
      isRight: true,
    },
    {
      answer: 'Bob Ray placed only 4 orders but his average order value of 247.50 is the highest.',
      table: CUSTOMERS,
      isRight: true,
    },
    { answer: 'The two customers from the UK spent 1,734.75 together.', table: CUSTOMERS, isRight: true },
    { answer: 'Bob Ray spent more per order than Ann Lee.', table: CUSTOMERS, isRight: true },
    {
      answer: 'Rock is the most successful genre: 835 tracks sold for 826.65, more than twice as much as Latin.',
      table: GENRES,
      isRight: true,
    },
    { answer: 'Rock has more tracks than Latin, Metal and Jazz combined.', table: GENRES, isRight: true },
    { answer: 'Metal, with 264 tracks, ranks third, just ahead of Jazz.', table: GENRES, isRight: true },
    { answer: 'The average rating is 4.2, based on 318 reviews.', table: REVIEWS, isRight: true },
    { answer: '318 reviews give an average of 4.2.', table: REVIEWS, isRight: true },
    {
      answer: 'North is the strongest region. Its 22 orders brought 4,100, so the average order was worth 186.36.',
      table: REGIONS,
      isRight: true,
    },
    { answer: 'The total for North is 4,100. South follows with 3,400.', table: REGIONS, isRight: true },
    { answer: 'On average, a region has 20 orders.', table: REGIONS, isRight: true },
    { answer: 'The median revenue is 3,150 and the mean 2,850.', table: REGIONS, isRight: true },
    { answer: 'Orders range from 9 (West) to 31 (South).', table: REGIONS, isRight: true },
    { answer: 'South did not have the highest revenue: it made 3,400.', table: REGIONS, isRight: true },
    { answer: 'Der Umsatz im Norden beträgt 4.100, in South 3.400.', table: REGIONS, isRight: true },
    { answer: 'Insgesamt waren es 80 Bestellungen, im Schnitt 20.', table: REGIONS, isRight: true },
    { answer: 'Revenue: North 4,100, South 3,400, East 2,900, West 1,000.', table: REGIONS, isRight: true },
    { answer: 'Revenue and orders in East were 2,900 and 18.', table: REGIONS, isRight: true },
    { answer: 'With 15 customers, North has 3 more than South.', table: REGIONS, isRight: true },
    { answer: 'North made 36% of the total revenue.', table: REGIONS, isRight: true },
    { answer: 'The top two regions made 7,500.', table: REGIONS, isRight: true },
    { answer: 'Three regions made more than 2,000.', table: REGIONS, isRight: true },
    { answer: 'North is behind South in orders, 22 to 31.', table: REGIONS, isRight: true },
    { answer: 'Revenue in South is 31.', table: REGIONS, isRight: false },
    { answer: 'South has revenue of 31 and 3,400 orders.', table: REGIONS, isRight: false },
    { answer: 'The average revenue is 11,400.', table: REGIONS, isRight: false },
    { answer: 'The average revenue is 3,150.', table: REGIONS, isRight: false },
    { answer: 'East beats South.', table: REGIONS, isRight: false },
    { answer: 'West outperformed East.', table: REGIONS, isRight: false },
    { answer: 'Orders are higher in North than in South.', table: REGIONS, isRight: false },
    { answer: 'North has 15 orders and 22 customers.', table: REGIONS, isRight: false },
    { answer: 'South comes third in revenue.', table: REGIONS, isRight: false },
    { answer: 'Ann Lee last ordered on 30 April 2025.', table: CUSTOMERS, isRight: false },
    { answer: 'Bob Ray: 1,234.50', table: CUSTOMERS, isRight: false },
    { answer: 'The average order value of Ann Lee is 247.50.', table: CUSTOMERS, isRight: false },
    { answer: 'Ann Lee has 9 orders.', table: CUSTOMERS, isRight: false },
    { answer: 'Ann Lee spent 102.88 in total.', table: CUSTOMERS, isRight: false },
    { answer: 'Jazz has 264 tracks.', table: GENRES, isRight: false },
    { answer: 'The total rating is 4.2.', table: REVIEWS, isRight: false },
    { answer: 'There are 4.2 reviews.', table: REVIEWS, isRight: false },
    { answer: 'North (31 orders) leads South (22 orders).', table: REGIONS, isRight: false },
    { answer: 'In February North had more revenue than South.', table: MONTHS, isRight: false },
    { answer: 'In January South overtook North.', table: MONTHS, isRight: false },
    { answer: 'The four regions have 11,400 orders.', table: REGIONS, isRight: false },
    { answer: 'The median number of orders is 22.', table: REGIONS, isRight: false },
    { answer: 'The total is 2,850.', table: REGIONS, isRight: false },
    { answer: 'North ranks second by revenue.', table: REGIONS, isRight: false },
    { answer: 'South outsold North in revenue.', table: REGIONS, isRight: false },
    { answer: 'East generated more revenue than both North and South.', table: REGIONS, isRight: false },
    { answer: 'North trails South in revenue.', table: REGIONS, isRight: false },
  ]
