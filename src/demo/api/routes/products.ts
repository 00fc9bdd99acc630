import { z } from 'zod'
import { withFlags } from '../books.ts'
import { optionalChoice, optionalFlag, PAGING } from '../parameters.ts'
import { defineRoute } from '../route.ts'
import { SCHEMAS } from '../schemas.ts'

/** The names in the table `categories`: the three top-level ones, then their subcategories. */
const CATEGORIES = [
  'Coffee',
  'Equipment',
  'Supplies',
  'Single Origin',
  'Blends',
  'Decaf',
  'Espresso Machines',
  'Grinders',
  'Brewers',
  'Barista Tools',
  'Filters and Papers',
  'Cups and Lids',
  'Cleaning',
  'Tea and Chocolate',
] as const

const listProducts = defineRoute({
  method: 'GET',
  path: '/products',
  operationId: 'listProducts',
  summary: 'List products with their price and stock',
  description:
    'Coffees, machines and supplies by name, with price, units in stock and reorder level. Filter by category, by stock below the reorder level, and by whether the product is still sold.',
  tag: 'Products',
  signIn: 'apiKey',
  status: 200,
  refusals: [],
  params: z.strictObject({}),
  query: z.strictObject({
    category: optionalChoice(CATEGORIES, 'Only products of this category, or of one within it'),
    below_reorder_level: optionalFlag('true: only products that must be bought again; false: only the others'),
    is_discontinued: optionalFlag('true: only products that are no longer sold; false: only products still sold'),
    ...PAGING,
  }),
  body: z.undefined(),
  reply: SCHEMAS.ProductPage,
  answer({ query }, books) {
    const { data, pagination } = books.list({
      from: 'products_now',
      path: '/products',
      query,
      filters: [
        ['? IN (category, department)', query.category],
        ['below_reorder_level = ?', query.below_reorder_level],
        ['(discontinued_on IS NOT NULL) = ?', query.is_discontinued],
      ],
      order: 'name, product_id',
    })
    return { data: data.map((row) => withFlags(row, 'below_reorder_level')), pagination }
  },
})

export const productRoutes = [listProducts]
