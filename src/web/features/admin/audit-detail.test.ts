import { expect, it } from 'vitest'
import { de, en } from '../../locales/texts.fixture.ts'
import { formatsOf } from '../../locales/formats.ts'
import { describeDetail } from './audit-detail.ts'

const who = (id: string): string => ({ everyone: 'Everyone', 'user:ada': 'Ada' })[id] ?? id

it.each([
  [{ to: 'user:ada', level: 'reader' }, 'to: Ada · may ask', 'an: Ada · darf fragen'],
  [
    { reason: 'Looked at it', tools: ['echo', 'add'], digests: ['a1b2', 'c3d4'] },
    'because: “Looked at it” · tools: echo, add',
    'weil: „Looked at it“ · Werkzeuge: echo, add',
  ],
  [{ username: 'ada', role: 'viewer' }, 'name: ada · role: Viewer', 'Name: ada · Rolle: Leser'],
  [{ measure: 'runs', period: 'day', most: 20 }, 'Runs: at most 20 a day', 'Läufe: höchstens 20 am Tag'],
  [{ measure: 'cost', period: 'month' }, 'no limit of Cost a month', 'keine Grenze für Kosten im Monat'],
  [{ other: 3 }, 'other: 3', 'other: 3'],
  [{}, '', ''],
])('%j is described in words', (detail, english, german) => {
  const told = [en, de].map((words, at) =>
    describeDetail(detail, who, { words, formats: formatsOf(['en-US', 'de-DE'][at]!) }),
  )
  expect(told).toEqual([english, german])
})
