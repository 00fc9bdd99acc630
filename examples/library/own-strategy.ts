import { composeThenFinish, createApp, defineAgent, defineRole, planJob, plannerFailure } from 'tutti'
import { isSettled, latestAttempt, latestRound, stepJob, taskAgain, taskJob, type Strategy } from 'tutti'

/** Plans, writes, lets a critic read it, and writes once more with what the critic said. Pure: the same state, the same jobs. */
const review: Strategy = {
  name: 'second-look',
  planner: 'planner',
  next(state) {
    const [task] = state.plan?.plan.tasks ?? []
    if (task === undefined) return plannerFailure(state) ?? (state.plan ? composeThenFinish(state) : [planJob(1)])
    if (!isSettled(state.jobs.get(task.id))) return [taskJob(task, [])]
    const said = latestRound(state, 'critic')
    if (!isSettled(said)) return [stepJob(state, critic, null, { dependsOn: [task.id] })]
    const attempt = latestAttempt(state, task.id)
    const text = said?.result?.answer
    // The first attempt stays in the trace, and is among nobody's results any more.
    return text === undefined || (attempt?.round === 2 && isSettled(attempt))
      ? composeThenFinish(state)
      : [taskAgain(state, task, [], { by: 'critic', text, from: 'critic:1' })]
  },
}

const critic = defineRole({
  name: 'critic',
  run: async (ctx) => (ctx.inputs()[0]?.result.answer?.includes('!') ? {} : { answer: 'Say it with more joy.' }),
})

const about = { description: 'Greets.', capabilities: ['greetings'], useCases: ['Say hello'], keywords: ['hello'] }
const greeter = defineAgent({
  ...about,
  name: 'greeter',
  run: async ({ feedback }) => ({
    answer: feedback ? `${feedback.attempt?.result.answer}! (${feedback.text})` : 'Hello',
  }),
})

const app = await createApp({ agents: [greeter], strategies: [{ strategy: review, roles: [critic] }] })
console.log((await app.ask({ question: 'Say hello', strategy: 'second-look' })).answer)
await app.close()
