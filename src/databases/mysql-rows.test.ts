import { expect, test } from 'vitest'
import { mysqlCell } from './mysql-rows.ts'

/** As `mysql2` gives the values of a JSON column with `jsonStrings`; its type is 245 in MySQL, a format of text in MariaDB. */
test.each([
  ['an object', '{"city": "Graz", "tags": ["a", null]}', { city: 'Graz', tags: ['a', null] }],
  ['a text', '"red"', 'red'],
  ['a number', '12.5', 12.5],
  ['a number that JavaScript does not hold exactly', '{"id": 12345678901234567890}', { id: '12345678901234567890' }],
  ['null', 'null', null],
])('%s in a JSON column', (_name, stored, shown) => {
  expect(mysqlCell({ columnType: 245 } as never, stored)).toEqual(shown)
  expect(mysqlCell({ columnType: 252, extendedFormat: 'json' } as never, stored)).toEqual(shown)
})
