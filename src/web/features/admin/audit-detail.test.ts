import { expect, it } from 'vitest'
import { en } from '../../locales/texts.fixture.ts'
import { formatsOf } from '../../locales/formats.ts'
import { describeDetail } from './audit-detail.ts'

const nameOf = (id: string): string => ({ everyone: 'Everyone', 'user:ada': 'Ada' })[id] ?? id

it.each([
  [{ to: 'user:ada', level: 'reader' }, 'to: Ada · may ask'],
  [
    { reason: 'Looked at it', tools: ['echo', 'add'], digests: ['a1b2', 'c3d4'] },
    'reason: “Looked at it” · tools: echo, add',
  ],
  [{ username: 'ada', role: 'viewer' }, 'name: ada · role: Viewer'],
  [{ measure: 'runs', period: 'day', most: 20 }, 'Runs: at most 20 per day'],
  [{ measure: 'cost', period: 'month' }, 'no limit of Cost per month'],
  [{ other: 3 }, 'other: 3'],
  [{}, ''],
])('%j is described in words', (detail, text) => {
  expect(describeDetail(detail, nameOf, { words: en, formats: formatsOf('en-US') })).toBe(text)
})
