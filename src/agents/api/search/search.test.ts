import { beforeAll, describe, expect, it } from 'vitest'
import { stem, stemmedTokens } from '../../../shared/tokens.ts'
import { keywordsOf } from '../agent.ts'
import { loadCatalogue } from '../catalogue/load.ts'
import type { Catalogue } from '../catalogue/types.ts'
import { createEndpointIndex, type EndpointIndex } from './endpoint-index.ts'

const ROUTES = `
  GET /orders, POST /orders, GET /orders/{id}, DELETE /orders/{id}, PATCH /orders/{id}, GET /orders/{id}/items
  GET /customers, GET /customers/{id}, GET /customers/{id}/orders, POST /customers, GET /vlans, GET /ip-addresses
  GET /orgs/{org_id}/sites, GET /sites/{site_id}, GET /sites/{site_id}/maps, GET /sites/{site_id}/maps/{map_id}, GET /status
`
  .trim()
  .split(/\s*[,\n]\s*/)

let catalogue: Catalogue
let index: EndpointIndex
beforeAll(async () => {
  const paths: Record<string, Record<string, object>> = {}
  for (const route of ROUTES) {
    const [method = '', path = ''] = route.split(' ')
    paths[path] = { ...paths[path], [method.toLowerCase()]: {} }
  }
  const tags = [
    { name: 'orders', description: 'Orders are kept for ten years.' },
    { name: 'sites', description: 'A site has maps.' },
  ]
  catalogue = await loadCatalogue(JSON.stringify({ openapi: '3.0.0', info: { title: 'shop' }, paths, tags }))
  index = createEndpointIndex([catalogue])
})

describe('the best endpoint', () => {
  it.each([
    ['List the orders', 'GET /orders'],
    ['Which items does order 5 have?', 'GET /orders/{id}/items'],
    ['orders of customer 4', 'GET /customers/{id}/orders'],
    ['Which VLANs are there?', 'GET /vlans'],
    ['all IPs: the IP addresses', 'GET /ip-addresses'],
    ['map 3 of site 8', 'GET /sites/{site_id}/maps/{map_id}'],
  ])('%s: %s', (question, wanted) => {
    const best = index.rank(question)[0]?.endpoint
    expect(`${best?.method} ${best?.path}`).toBe(wanted)
  })

  it('is none for an unrelated question, and at most eight are offered', () => {
    expect(index.rank('What is the weather like?')).toEqual([])
    expect(index.rank('orders of customers at sites with maps and items').length).toBe(8)
  })

  it('comes with the snippets that share its words', () => {
    expect(index.snippets('How long are orders kept?').map(({ title }) => title)).toEqual(['orders'])
  })
})

describe('words', () => {
  it.each([
    ['orders', 'order'],
    ['companies', 'company'],
    ['addresses', 'address'],
    ['categories', 'category'],
    ['status', 'status'],
    ['invoices', 'invoice'],
  ])('%s and %s have one stem', (plural, singular) => {
    expect(stem(plural)).toBe(stem(singular))
  })

  it('question words do not count', () => {
    expect(stemmedTokens('Please show me all the orders')).toEqual(['order'])
  })
})

it('the keywords are the general ones and the names of the APIs', () => {
  expect(keywordsOf([{ ...catalogue, name: 'Warehouse' }])).toEqual([...keywordsOf([]), 'warehouse'])
})
