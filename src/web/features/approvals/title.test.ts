import { expect, it } from 'vitest'
import { de } from '../../words/de.ts'
import { en } from '../../words/en.ts'
import { inWords, requestIn, saidOf, signInSaid } from './request.ts'
import { titleOf } from './title.ts'

const CANCEL = {
  api: 'Brindlemoor Coffee',
  method: 'POST',
  url: 'http://127.0.0.1:7460/orders/M%C3%BCller%2F7/cancel?notify=yes&notify=no',
  headers: { Accept: 'application/json', 'X-Shop': 'north' },
  body: '{"cancelledBy":"Ann"}',
  signIn: 'apiKey',
}

it.each([
  ['mcp:every/echo', {}, 'Let it use echo of the server every?', 'echo vom Server every benutzen lassen?'],
  ['mcp:every/a/b', {}, 'Let it use a/b of the server every?', 'a/b vom Server every benutzen lassen?'],
  ['http_post', {}, 'Let it call http_post?', 'http_post aufrufen lassen?'],
  ['http_send', { url: 'no address' }, 'Let it call http_send?', 'http_send aufrufen lassen?'],
  [
    'http_change',
    { method: 'DELETE', url: 'https://shop.example/orders/7' },
    'Send DELETE /orders/7 to shop.example?',
    'DELETE /orders/7 an shop.example senden?',
  ],
  [
    'http_send',
    CANCEL,
    'Send POST /orders/Müller%2F7/cancel to Brindlemoor Coffee?',
    'POST /orders/Müller%2F7/cancel an Brindlemoor Coffee senden?',
  ],
])('a call of %s is asked for in words', (tool, payload, english, german) => {
  expect([titleOf({ tool, payload }, en), titleOf({ tool, payload }, de)]).toEqual([english, german])
})

it('of a request all is shown that decides what it does', () => {
  expect(requestIn('http_send', CANCEL)).toEqual({
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

it.each([
  ['apiKey', 'API-Schlüssel'],
  ['api_key and bearerAuth', 'API-Schlüssel + Token'],
  ['shopKey', 'shopKey'],
  ['token given with the request', 'token given with the request'],
])('the sign-in %s is called “%s”', (signIn, said) => {
  expect(signInSaid(signIn, de.decided.signIns)).toBe(said)
})

it('a body is shown without the signs of its form', () => {
  const order = { sku: 'A1', unitPrice: 3, giftWrap: false, to: { city: 'Riga', lines: ['a', 'b'] }, notes: [] }
  expect(saidOf([order, null, true], de)).toBe(
    [
      '– Sku: A1',
      '  Unit price: 3',
      '  Gift wrap: nein',
      '  To:',
      '    City: Riga',
      '    Lines:',
      '      a',
      '      b',
      '  Notes: leer',
      'leer',
      'ja',
    ].join('\n'),
  )
})

it.each([
  ['cancelledBy', 'Cancelled by'],
  ['cancelled_by', 'Cancelled by'],
  ['customerID', 'Customer ID'],
  ['reason', 'Reason'],
  ['_', '_'],
])('the field %s is called “%s”', (name, said) => {
  expect(inWords(name)).toBe(said)
})
