import { describe, expect, it } from 'vitest'
import {
  parseAmount,
  parseContext,
  parseDatabase,
  parseModel,
  parseNames,
  parsePort,
  parseWholeNumber,
  requestOf,
} from './option-values.ts'

describe('option values', () => {
  it.each([
    ['sqlite:a.db', { url: 'sqlite:a.db' }],
    ['shop=sqlite:a.db', { name: 'shop', url: 'sqlite:a.db' }],
    ['postgres://h/db?sslmode=require', { url: 'postgres://h/db?sslmode=require' }],
    ['my-shop=postgres://h/db?a=b', { name: 'my-shop', url: 'postgres://h/db?a=b' }],
  ])('reads the database %s', (text, database) => expect(parseDatabase(text)).toEqual([database]))

  it('collects repeated options', () => {
    expect(parseDatabase('b.db', parseDatabase('a.db'))).toHaveLength(2)
    expect(parseContext('b=c=d', parseContext('a='))).toEqual({ a: '', b: 'c=d' })
    const headers = ['api_headers=X-Tenant: north', 'api_headers=X-Url: http://a:1']
    expect(headers.reduce((earlier, text) => parseContext(text, earlier), {})).toEqual({
      api_headers: { 'X-Tenant': 'north', 'X-Url': 'http://a:1' },
    })
    expect(parseModel('sql=ollama:llama3.1:8b', parseModel('openai:gpt'))).toEqual({
      default: 'openai:gpt',
      sql: 'ollama:llama3.1:8b',
    })
    expect(parseNames('a,b', ['c'])).toEqual(['c', 'a', 'b'])
  })

  it.each([
    [parseWholeNumber, ['', '0', '1.5', '-1', '1e3', '99999999999999999999']],
    [parseAmount, ['', '0', '-1', '.', 'Infinity', '$1', '5x']],
    [parsePort, ['', '-1', '65536', '80.5']],
    [parseContext, ['', 'a', '=b', 'api_headers=north']],
    [parseModel, ['', 'sql=', ':x', 'a b:c']],
  ])('%o refuses invalid values', (parse, texts) => {
    for (const text of texts) expect(() => parse(text), text).toThrow(/Write/)
  })
})

describe('requestOf', () => {
  it('omits options that are not given', () => {
    expect(requestOf('q', { data: true })).toEqual({ question: 'q', includeData: true, trace: false, budget: {} })
  })

  it('takes the time limit in seconds', () => {
    expect(requestOf('q', { data: true, timeout: parseAmount('1.5') }).budget).toEqual({ maxTimeMs: 1_500 })
  })
})
