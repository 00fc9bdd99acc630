import fc from 'fast-check'
import { expect, it } from 'vitest'
import { de, en } from '../../locales/texts.fixture.ts'
import { testSeed } from '../../../../test/support/seed.ts'
import { fieldLabel, requestIn, plainValue } from './http-request.ts'
import { approvalTitle } from './approval-title.ts'

const CANCEL = {
  api: 'Brindlemoor Coffee',
  method: 'POST',
  url: 'http://127.0.0.1:7460/orders/M%C3%BCller%2F7/cancel?notify=yes&notify=no',
  headers: { Accept: 'application/json', 'X-Shop': 'north' },
  body: '{"cancelledBy":"Ann"}',
  signIn: 'apiKey',
}

it.each([
  ['mcp:every/echo', {}, 'Call echo on server every?', 'echo auf dem Server every aufrufen?'],
  ['mcp:every/a/b', {}, 'Call a/b on server every?', 'a/b auf dem Server every aufrufen?'],
  ['http_post', {}, 'Call http_post?', 'http_post aufrufen?'],
  ['send_to_api', { url: 'no address' }, 'Call send_to_api?', 'send_to_api aufrufen?'],
  [
    'call_api',
    { method: 'DELETE', url: 'https://shop.example/orders/7' },
    'Send DELETE /orders/7 to shop.example?',
    'DELETE /orders/7 an shop.example senden?',
  ],
  [
    'send_to_api',
    CANCEL,
    'Send POST /orders/Müller%2F7/cancel to Brindlemoor Coffee?',
    'POST /orders/Müller%2F7/cancel an Brindlemoor Coffee senden?',
  ],
])('a call of %s has a title in words', (tool, payload, english, german) => {
  expect([approvalTitle({ tool, payload }, en), approvalTitle({ tool, payload }, de)]).toEqual([english, german])
})

it('a request shows everything that determines its effect', () => {
  expect(requestIn('send_to_api', CANCEL)).toEqual({
    api: 'Brindlemoor Coffee',
    method: 'POST',
    host: '127.0.0.1:7460',
    path: '/orders/Müller%2F7/cancel',
    query: { notify: 'yes, no' },
    headers: { 'X-Shop': 'north' },
    signIn: 'apiKey',
    body: { cancelledBy: 'Ann' },
  })
})

it('a body is shown without syntax characters', () => {
  const order = {
    sku: 'A1',
    unitPrice: 3,
    customerID: 7,
    gift_wrap: false,
    to: { city: 'Riga', lines: ['a', 'b'] },
    notes: [],
    _: 1,
  }
  expect(plainValue([order, null, true], de)).toBe(
    [
      '– Sku: A1',
      '  Unit price: 3',
      '  Customer ID: 7',
      '  Gift wrap: nein',
      '  To:',
      '    City: Riga',
      '    Lines:',
      '      a',
      '      b',
      '  Notes: leer',
      '  _: 1',
      'leer',
      'ja',
    ].join('\n'),
  )
})

it('the value of a field is below its name, for any value, and nothing is omitted', () => {
  const text = fc.string({ unit: fc.constantFrom('a', ' ', ':', '–', '\n', 'Total: 5'), maxLength: 6 })
  const { value } = fc.letrec<{ value: unknown }>((tie) => ({
    value: fc.oneof(
      { depthSize: 'small' },
      text,
      fc.constantFrom(null, true, 0),
      fc.array(tie('value'), { maxLength: 3 }),
      fc.dictionary(fc.constantFrom('sum', 'to\nTotal', 'b'), tie('value'), { minKeys: 1 }),
    ),
  }))
  const within = (fields: object): void => {
    const lines = plainValue(fields, en).split('\n')
    const starts = lines.flatMap((line, at) => (line.startsWith(' ') ? [] : [at]))
    expect(starts.map((at) => lines[at]!.split(':')[0])).toEqual(
      Object.keys(fields).map((name) => fieldLabel(name.replace('\n', ' '))),
    )
    for (const [n, field] of Object.values(fields).entries()) {
      const own = lines.slice(starts[n]! + 1, starts[n + 1]).map((line) => line.slice(2))
      const held = plainValue(field, en)
      expect(own.length === 0 ? lines[starts[n]!]!.slice(lines[starts[n]!]!.indexOf(': ') + 2) : own.join('\n')).toBe(
        held,
      )
    }
  }
  fc.assert(fc.property(fc.dictionary(fc.constantFrom('sum', 'to\nTotal', 'b'), value, { minKeys: 1 }), within), {
    seed: testSeed(),
  })
})
