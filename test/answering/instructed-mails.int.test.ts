import { afterAll, beforeAll, expect, it } from 'vitest'
import { createDemo, mailsFromNow, pendingApproval, TODAY, type Demo } from '../e2e/support.ts'

/** A mail is approved with instructions and no model can follow them: the mail is neither lost nor sent without review. */

const QUESTION = 'Send a mail to support@brindlemoor-coffee.example with the number of open orders'
let demo: Demo
beforeAll(async () => {
  demo = await createDemo()
})
afterAll(() => demo.remove())

it.each([
  [['make it shorter and friendlier, please'], 'approved'],
  [['make it shorter and friendlier, please'], 'denied'],
  [['make it shorter and friendlier, please', 'subject: Open orders'], 'approved'],
  [['without the greeting', 'in German', 'to kim@company.example instead'], 'approved'],
  [['subject: Open orders', 'in German', 'make it shorter and friendlier, please'], 'approved'],
] as const)('%j, and then it is %s', async (instructions, decision) => {
  const app = await demo.open({ inMemory: true, databases: [{ url: `sqlite:${demo.database}` }] })
  try {
    const sent = await mailsFromNow(demo.mailbox, '.Outbox')
    const runId = await app.start({ question: QUESTION, context: { current_date: TODAY } })
    const first = await pendingApproval(app, runId)
    let waiting = first
    const told: string[] = []
    for (const words of instructions) {
      await app.runs.decide(waiting.approvalId, 'approved', 'ada', words)
      waiting = await pendingApproval(app, runId)
      told.push(words)
      expect(waiting.payload).toEqual(first.payload)
      expect(waiting.reason).toContain(`${told.map((one) => `“${one}”`).join(', ')} cannot be followed`)
      expect(await sent()).toEqual([])
    }
    await app.runs.decide(waiting.approvalId, decision, 'ada')
    const { answer } = await app.engine.outcome(runId).then(() => app.response(runId))
    const { subject } = waiting.payload as { subject: string }
    expect((await sent()).map((mail) => mail.subject)).toEqual(decision === 'approved' ? [subject] : [])
    expect(answer).toContain(decision === 'approved' ? 'Sent to' : 'denied')
  } finally {
    await app.close()
  }
})
