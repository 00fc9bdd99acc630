import { defineRole, type Role } from '../../src/domain/actor.ts'
import type { RegisteredStrategy } from '../../src/domain/strategy.ts'
import { say } from './engine-world.ts'

/** A strategy whose runs have one job, of this role. */
export function oneRole(name: string, run: Role['run']): RegisteredStrategy {
  const actor = `${name}-role`
  return {
    strategy: {
      name,
      next({ jobs }) {
        const result = jobs.get('only')?.result
        if (result?.error !== undefined) return { finish: 'failed', error: result.error }
        return result === undefined ? [{ key: 'only', actor, input: undefined }] : { finish: 'answered' }
      },
    },
    roles: [defineRole({ name: actor, run })],
  }
}

/** The strategy `story`: the streamed text of the model is the answer. */
export const storyteller = oneRole('story', async (ctx) => {
  const { value = 'no model' } = await ctx.ask(say, 'a story', { streamAnswer: true })
  ctx.emit({ type: 'answer.composed', answer: value, by: 'model' })
  return {}
})

/** The strategy `two-asks`: asks the model twice. */
export const askingTwice = oneRole('two-asks', async (ctx) => {
  await ctx.ask(say, 'a beginning')
  const { value = 'no model' } = await ctx.ask(say, 'an end')
  ctx.emit({ type: 'answer.composed', answer: value, by: 'model' })
  return {}
})
