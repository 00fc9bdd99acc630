import { describe, expect, it } from 'vitest'
import { createMask } from './mask.ts'

const context = {
  region: 'north',
  api_token: 'tok-12345',
  Password: 'tok-12345-longer',
  deep: [{ clientSecret: 'inner!' }],
  keys: { a: 'first-key', b: 987654 },
  pin_key: 'abc',
}

describe('createMask', () => {
  const mask = createMask(context)

  it('hides what secret keys of the context hold, at any depth', () => {
    expect(mask.context(context)).toEqual({
      region: 'north',
      api_token: '***',
      Password: '***',
      deep: [{ clientSecret: '***' }],
      keys: '***',
      pin_key: '***',
    })
  })

  it('finds the values again wherever they turn up, the longer one whole', () => {
    const shown = mask.value({ sent: ['Bearer tok-12345', 'tok-12345-longer'], note: 'first-key 987654 inner!' })
    expect(shown).toEqual({ sent: ['Bearer ***', '***'], note: '*** *** ***' })
  })

  it('leaves alone what is no secret', () => {
    const data = { key: 'sql', usage: { inputTokens: 5, ok: true, none: null }, region: 'north', text: 'abc' }
    expect(mask.value(data)).toEqual(data)
  })
})
