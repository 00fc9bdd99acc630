import { expect, it } from 'vitest'
import { sortBySchema } from '../domain/merged-schema.ts'
import { openParts } from './schema-parts.ts'

const SCHEMA = {
  type: 'object',
  $defs: { City: { type: 'object', properties: { city: { type: 'string' }, unit: { enum: ['C', 'F'] } } } },
  properties: { query: { anyOf: [{ $ref: '#/$defs/City' }, { type: 'null' }] }, limit: { type: 'integer' } },
  required: ['query'],
}

it('names of fields are known at any depth, behind references and alternatives, too', () => {
  expect(openParts(SCHEMA, { query: { city: 'Rivertown', unit: 'C' } })).toEqual({
    parts: ['Rivertown'],
    listed: [2, 2],
    fields: [2, 2],
  })
})

it('undeclared names and unlisted values are not known', () => {
  const { parts } = openParts(SCHEMA, { query: { zarquon: true, unit: 'velvet' }, limit: 3 })
  expect(parts).toEqual(['zarquon', true, 'velvet', 3])
})

it('true and false are known where the schema lists boolean among other types', () => {
  const schema = { properties: { more: { type: ['boolean', 'string'] } }, required: ['more'] }
  expect(openParts(schema, { more: true })).toEqual({ parts: [], listed: [2], fields: [] })
  expect(openParts(schema, { more: 'later' }).parts).toEqual(['later'])
})

it('a broken or circular reference adds nothing', () => {
  const schema = { $defs: { a: { $ref: '#/$defs/a' } }, properties: { x: { $ref: '#/$defs/a' }, y: { $ref: '#/no' } } }
  expect(openParts(schema, { x: { b: 1 }, y: { c: 2 } }).parts).toEqual(['b', 1, 'c', 2])
})

it('a schema that refers to itself many times is read once', () => {
  const schema = { anyOf: Array.from({ length: 1_000 }, () => ({ $ref: '#' })), properties: { a: {} } }
  expect(openParts(schema, { a: 'x' }).parts).toEqual(['x'])
})

it('fields behind a reference are sent in the order of the schema', () => {
  expect(JSON.stringify(sortBySchema(SCHEMA, { query: { unit: 'C', city: 'x' } }))).toBe(
    '{"query":{"city":"x","unit":"C"}}',
  )
})
