import { simpleParser } from 'mailparser'
import { describe, expect, it } from 'vitest'
import { TuttiError } from '../domain/errors.ts'
import { isMailAddress } from '../shared/mail-address.ts'
import { addressesIn, parseAddress } from './address.ts'
import { checkMail, formatMail, replySubject, messageIdForKey } from './compose.ts'
import type { OutgoingMail } from './types.ts'

const MAIL: OutgoingMail = { to: ['ada@example.com'], cc: [], subject: 'Hello', text: 'Good morning.' }
const OPTIONS = { from: 'Lars <lars@example.com>', key: 'key', date: new Date('2026-10-31T09:00:00Z') }

function problem(change: Partial<OutgoingMail>, purpose: 'draft' | 'send' = 'send'): string {
  try {
    checkMail({ ...MAIL, ...change }, purpose)
  } catch (thrown) {
    if (TuttiError.is(thrown, 'InvalidRequest')) return thrown.message
    throw thrown
  }
  return ''
}

describe('addresses', () => {
  it.each(['ada@example.com', 'o.brien+tag@sub.example.co', 'müller@bücher.example', 'me@localhost'])(
    'accepts %s',
    (text) => expect(isMailAddress(text)).toBe(true),
  )

  it.each([
    '',
    '@example.com',
    'a da@example.com',
    'ada@example.com, bob@example.com',
    'ada..b@example.com',
    'ada@example.com\r\nBcc: eve@example.com',
    'ada@example.com\u2028',
    `${'a'.repeat(65)}@example.com`,
  ])('refuses %j', (text) => {
    expect(isMailAddress(text)).toBe(false)
    expect(() => parseAddress(text)).toThrow(/is not a mail address/)
  })

  it('reads names, quoted or not', () => {
    expect(parseAddress('Ada Lovelace <ada@example.com>')).toEqual({ name: 'Ada Lovelace', address: 'ada@example.com' })
    expect(parseAddress('"Lovelace, Ada" <ada@example.com>').name).toBe('Lovelace, Ada')
    expect(() => parseAddress('Ada\r\nBcc: eve@example.com <ada@example.com>')).toThrow(/is not a mail address/)
  })

  it('finds those in a text', () => {
    expect(addressesIn('Write to Ada@Example.com, or (bob@b.example). Not @home or a@.')).toEqual([
      'ada@example.com',
      'bob@b.example',
    ])
  })
})

describe('a mail before it is written', () => {
  it.each([
    [{ subject: 'Hi\r\nBcc: eve@example.com' }, /has a line break/],
    [{ subject: 'x'.repeat(300) }, /300 characters/],
    [{ to: ['ada@example.com\nBcc: eve@example.com'] }, /is not a mail address/],
    [{ to: ['nobody'] }, /"nobody" is not a mail address/],
    [{ cc: ['nobody'] }, /"nobody" is not a mail address/],
    [{ to: [] }, /no recipient/],
    [{ text: '  ' }, /no text/],
    [{ text: 'x'.repeat(500_001) }, /500001 characters/],
    [{ to: Array.from({ length: 51 }, (_, i) => `a${i}@example.com`) }, /51 recipients/],
  ])('is refused with one clear sentence: %j', (change, reason) => {
    expect(problem(change)).toMatch(reason)
  })

  it('names each recipient once', () => {
    const { to, cc } = checkMail(
      { ...MAIL, to: ['Ada <ada@example.com>', 'ADA@example.com'], cc: ['ada@Example.com'] },
      'send',
    )
    expect({ to, cc }).toEqual({ to: ['Ada <ada@example.com>'], cc: [] })
  })
})

describe('a mail as it is written', () => {
  it('is unchanged after a round trip, with any characters', async () => {
    const text = 'Zoë: “ja”\n\n.\n.leading dot\nFrom here on\n😀'
    const mail = { to: ['"Müller, Zoë" <z@example.com>'], cc: ['b@example.com'], subject: 'Grüße 😀', text }
    const { raw, messageId, recipients } = await formatMail(mail, 'send', OPTIONS)
    const parsed = await simpleParser(raw)
    expect(parsed).toMatchObject({ subject: mail.subject, messageId })
    expect(parsed.text?.trim()).toBe(text)
    expect([parsed.to ?? []].flat()[0]?.value).toEqual([{ name: 'Müller, Zoë', address: 'z@example.com' }])
    expect(recipients).toEqual(['z@example.com', 'b@example.com'])
  })

  it('has a Message-ID that depends only on the key', () => {
    expect(messageIdForKey('a', 'x@example.com')).toBe(messageIdForKey('a', 'x@example.com'))
    expect(messageIdForKey('a', 'x@example.com')).not.toBe(messageIdForKey('b', 'x@example.com'))
    expect(messageIdForKey('a\r\nBcc: eve', 'x@example.com')).toMatch(/^<tutti\.[0-9a-f]{32}@example\.com>$/)
  })

  it('keeps the beginning and the end of a long thread', async () => {
    const references = Array.from({ length: 100 }, (_, i) => `<${i}@example.com>`)
    const original = { messageId: '<last@example.com>', references }
    const parsed = await simpleParser((await formatMail(MAIL, 'send', { ...OPTIONS, original })).raw)
    const ids = parsed.references as string[]
    expect(ids).toHaveLength(20)
    expect([ids[0], ids.at(-1)]).toEqual(['<0@example.com>', '<last@example.com>'])
  })

  it.each([
    ['Torn bags', 'Re: Torn bags'],
    ['RE:Torn bags', 'RE:Torn bags'],
    ['AW: Säcke', 'AW: Säcke'],
    ['', 'Re:'],
  ])('answers %j as %j', (subject, answer) => expect(replySubject(subject)).toBe(answer))
})
