import fc from 'fast-check'
import { expect, it } from 'vitest'
import { applyDraft, draftOf } from './payload-editor.tsx'

const PAYLOAD = { title: 'Late', lines: ['Dear all,', '', '  indented'], to: ['a@x.example', 'b@x.example'], points: 3 }

it('edits one field and leaves the others as they are', () => {
  const draft = { ...draftOf(PAYLOAD), title: 'Later' }
  expect(applyDraft(PAYLOAD, draft)).toEqual({ ...PAYLOAD, title: 'Later' })
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (payload) => {
      expect(applyDraft(payload, draftOf(payload))).toEqual(payload)
    }),
  )
})

it.each([
  ['a list with one entry per line', { to: 'c@x.example\n\n d@x.example' }, { to: ['c@x.example', 'd@x.example'] }],
  ['other lists as JSON', { lines: '["Hello"]' }, { lines: ['Hello'] }],
  ['numbers', { points: '4' }, { points: 4 }],
  [
    'numbers that a double cannot hold, as texts',
    { points: '12345678901234567890' },
    { points: '12345678901234567890' },
  ],
])('edits %s', (_name, edits, expected) => {
  expect(applyDraft(PAYLOAD, { ...draftOf(PAYLOAD), ...edits })).toEqual({ ...PAYLOAD, ...expected })
})

it('leaves out an emptied number, and refuses invalid JSON', () => {
  const { points: _points, ...rest } = PAYLOAD
  expect(applyDraft(PAYLOAD, { ...draftOf(PAYLOAD), points: '' })).toEqual(rest)
  expect(applyDraft(PAYLOAD, { ...draftOf(PAYLOAD), points: '3,5' })).toBeUndefined()
})
