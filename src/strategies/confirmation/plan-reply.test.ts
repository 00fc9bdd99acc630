import fc from 'fast-check'
import { expect, it } from 'vitest'
import { classifyPlanReply } from './plan-reply.ts'

it.each([
  ['start'],
  ['“Start”.'],
  ['start please'],
  ['Yes, go ahead!'],
  ['ok, start it now'],
  ['Ja, bitte starten'],
  ['Leg los'],
  ['looks good, start'],
  ['ok, let us begin 👍🏽'],
])('“%s” starts a plan', (said) => {
  expect(classifyPlanReply(said)).toBe('start')
})

it.each([
  ['no'],
  ['no, wait'],
  ['Please do not start'],
  ['Don’t'],
  ['nein, danke'],
  ['Bitte nicht starten'],
  ['stop'],
  ['cancel it'],
])('“%s” discards a plan', (said) => {
  expect(classifyPlanReply(said)).toBe('leave')
})

it.each([
  ['start, but without the mail'],
  ['start the mail only'],
  ['wait'],
  ['yes, after lunch'],
  ['start?'],
  ['start？'],
  ['is it ok now'],
  ['so is that fine'],
  ['let it go'],
  ['ok 👎'],
  ['start ❌'],
  ['please'],
  ['Which customers?'],
  ['nobody starts'],
  ['???'],
])('“%s” is ambiguous and asked again', (said) => {
  expect(classifyPlanReply(said)).toBeUndefined()
})

it('additional text is never ignored', () => {
  const word = fc.stringMatching(/^[a-zäöüß]{3,12}$/).filter((one) => classifyPlanReply(`start ${one}`) === undefined)
  fc.assert(fc.property(word, (one) => classifyPlanReply(`start, ${one} please`) !== 'start'))
  fc.assert(
    fc.property(fc.constantFrom('no', 'nein', 'do not', 'stop'), fc.string(), (no, more) => {
      expect(classifyPlanReply(`${no} ${more}`)).not.toBe('start')
    }),
  )
})
