import { expect, test } from 'vitest'
import { z } from 'zod'
import { isObjectSchema, isStrictSchema, outputJsonSchema } from './json-schema.ts'

test('objects are closed; irrelevant keywords are removed', () => {
  const schema = outputJsonSchema(z.object({ name: z.string().describe('full name'), age: z.number().int() }))
  expect(schema).toEqual({
    type: 'object',
    properties: { name: { type: 'string', description: 'full name' }, age: { type: 'integer' } },
    required: ['name', 'age'],
    additionalProperties: false,
  })
})

test('the input side of a transform is what a model is asked for', () => {
  const schema = outputJsonSchema(
    z.object({ tags: z.string().transform((text) => text.split(',')), n: z.number().default(3) }),
  )
  expect(schema).toMatchObject({ properties: { tags: { type: 'string' } }, required: ['tags'] })
  expect(outputJsonSchema(z.object({ at: z.date() }))).toMatchObject({ properties: { at: {} } })
})

test.each([
  ['flat', z.object({ a: z.string(), b: z.number().min(0).max(1) }), true],
  ['nested, lists, enums, null', z.object({ a: z.array(z.object({ b: z.enum(['x', 'y']).nullable() })).max(3) }), true],
  [
    'a recursive type',
    z.object({
      get child() {
        return z.array(z.object({ n: z.int() }))
      },
    }),
    true,
  ],
  ['an optional field', z.object({ a: z.string().optional() }), false],
  ['a default', z.object({ a: z.string().default('x') }), false],
  ['an open object', z.looseObject({ a: z.string() }), false],
  ['a record', z.object({ a: z.record(z.string(), z.string()) }), false],
  ['anything', z.object({ a: z.unknown() }), false],
  ['a length limit', z.object({ a: z.string().max(10) }), false],
  ['a URL', z.object({ a: z.url() }), false],
  [
    'an optional field deep inside',
    z.object({ a: z.array(z.union([z.string(), z.object({ b: z.int().optional() })])) }),
    false,
  ],
])('strict mode of %s: %s', (_name, type, expected) => {
  expect(isStrictSchema(outputJsonSchema(type))).toBe(expected)
})

test('only an object may be a response format', () => {
  expect(isObjectSchema(outputJsonSchema(z.object({})))).toBe(true)
  expect(isObjectSchema(outputJsonSchema(z.array(z.string())))).toBe(false)
  expect(isObjectSchema(outputJsonSchema(z.union([z.object({}), z.string()])))).toBe(false)
})
