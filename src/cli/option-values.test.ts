import { describe, expect, it } from 'vitest'
import {
  parseAmount,
  parseContext,
  parseDatabase,
  parseDuration,
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
    ['90', 90_000],
    ['1.5s', 1_500],
    ['250ms', 250],
    ['5m', 300_000],
    ['2 h', 7_200_000],
  ])('reads the time %s', (text, ms) => expect(parseDuration(text)).toBe(ms))

  it.each([
    [parseDuration, ['', '0', '-1', '5x', '0.0001ms', 'NaN']],
    [parseWholeNumber, ['', '0', '1.5', '-1', '1e3', '99999999999999999999']],
    [parseAmount, ['', '0', '-1', '.', 'Infinity', '$1']],
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
})
