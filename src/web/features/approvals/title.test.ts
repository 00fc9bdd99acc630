import { expect, it } from 'vitest'
import { de } from '../../words/de.ts'
import { en } from '../../words/en.ts'
import { titleOf } from './title.ts'

it.each([
  ['mcp:every/echo', 'Let it use echo of the server every?', 'echo vom Server every benutzen lassen?'],
  ['mcp:every/a/b', 'Let it use a/b of the server every?', 'a/b vom Server every benutzen lassen?'],
  ['http_post', 'Let it call http_post?', 'http_post aufrufen lassen?'],
])('a call of %s is asked for in words', (tool, english, german) => {
  expect([titleOf(tool, en), titleOf(tool, de)]).toEqual([english, german])
})
