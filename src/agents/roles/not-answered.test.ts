import { expect, it } from 'vitest'
import type { RoleContext } from '../../core/actor.ts'
import { notAnswered } from './not-answered.ts'

const ctx = { state: { request: {}, jobs: new Map() }, agents: [] } as unknown as RoleContext

it.each([
  [undefined, 'No agent was chosen for this question, so there is nothing to answer from.'],
  ['The critic failed.', ''],
])('where nobody found anything, and the work was ended since “%s”, says “%s”', (stopped, text) => {
  expect(notAnswered(ctx, { summaries: [] }, stopped)).toMatchObject({ text, isAnswered: false })
})
