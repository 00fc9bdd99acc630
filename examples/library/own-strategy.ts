import { composeThenFinish, createApp, defineAgent, defineRole, planJob, plannerFailure, taskJob } from 'tutti'
import { isSettled, type RunState, type Strategy } from 'tutti'

/** Plans, works, lets a second pair of eyes look, and answers. Pure: the same state gives the same jobs. */
const review: Strategy = {
  name: 'review',
  next(state: RunState) {
    if (state.plan === undefined) return plannerFailure(state) ?? [planJob(1)]
    const open = state.plan.plan.tasks.filter(({ id }) => !isSettled(state.jobs.get(id)))
    if (open.length > 0) return open.map((task) => taskJob(task, []))
    if (!isSettled(state.jobs.get('check:1'))) return [{ key: 'check:1', actor: 'checker', input: null }]
    return composeThenFinish(state)
  },
}

const checker = defineRole({
  name: 'checker',
  async run({ state, note }) {
    const failed = [...state.jobs.values()].filter(({ status }) => status === 'failed')
    note('DECISION', failed.length === 0 ? 'Nothing failed.' : `Failed: ${failed.map(({ key }) => key).join(', ')}.`)
    return {}
  },
})

const greeter = defineAgent({
  name: 'greeter',
  description: 'Greets.',
  capabilities: ['greetings'],
  useCases: ['Say hello'],
  keywords: ['hello'],
  run: async () => ({ answer: 'Good morning.' }),
})

const app = await createApp({ agents: [greeter], strategies: [review], roles: [checker] })
const { answer, trace = [] } = await app.ask({ question: 'Say hello', strategy: 'review', trace: true })
const decided = trace.filter(({ agent, eventType }) => agent === 'checker' && eventType === 'DECISION')
console.log(answer, ...decided.map(({ message }) => message))
await app.close()
