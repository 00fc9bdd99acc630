import { attemptKey, composeThenFinish, createApp, defineAgent, defineRole, planJob, plannerFailure } from 'tutti'
import { isSettled, taskAgain, taskJob, type Strategy } from 'tutti'

/** Plans, writes, lets a critic read it, and writes once more with what the critic said. Pure: the same state, the same jobs. */
const review: Strategy = {
  name: 'second-look',
  planner: 'planner',
  next(state) {
    const [task] = state.plan?.plan.tasks ?? []
    if (task === undefined) return plannerFailure(state) ?? (state.plan ? composeThenFinish(state) : [planJob(1)])
    if (!isSettled(state.jobs.get(task.id))) return [taskJob(task, [])]
    const said = state.jobs.get('critic:1')?.result
    if (said === undefined) return [{ key: 'critic:1', actor: 'critic', input: task.id }]
    const isDone = said.answer === undefined || isSettled(state.jobs.get(attemptKey(task, 2)))
    // The first attempt stays in the trace, and is among nobody's results any more.
    return isDone
      ? composeThenFinish(state)
      : [taskAgain(task, [], 2, { by: 'critic', text: said.answer, from: 'critic:1' })]
  },
}

const critic = defineRole({
  name: 'critic',
  run: async ({ state, job }) =>
    state.jobs.get(String(job.input))?.result?.answer?.includes('!') ? {} : { answer: 'Say it with more joy.' },
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
