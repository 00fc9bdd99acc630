import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { App } from '../../src/app.ts'
import { uncitedSources } from '../../src/core/response.ts'
import type { RequestInput } from '../../src/core/request.ts'
import { createDemoDatabase } from '../../src/demo/database.ts'
import { openApp } from '../../src/setup/setup.ts'
import {
  giveAnswer,
  sqlLoop,
  startModelServer,
  toolCall,
  type ModelServer,
  type Reply,
  type Rule,
} from '../support/model-server.ts'

/** The whole product on the strategy review, without a model and with a scripted provider. */

const QUESTION = 'Show the count of customers'

let folder: string
let server: ModelServer
let app: App

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tutti-review-'))
  await createDemoDatabase(join(folder, 'demo.sqlite'))
  server = await startModelServer()
})

afterAll(async () => {
  await server.close()
  await rm(folder, { recursive: true, force: true })
})

afterEach(async () => app.close())

async function ask(script: readonly Rule[] | undefined, more: Partial<RequestInput> = {}) {
  if (script !== undefined) server.script(script)
  app = await openApp({
    env: script === undefined ? {} : { TUTTI_MODEL_URL: server.url, TUTTI_MODEL: 'compatible:scripted' },
    cwd: folder,
    inMemory: true,
    databases: [{ url: `sqlite:${join(folder, 'demo.sqlite')}` }],
    onTrouble: (error) => expect.fail(error.message),
  })
  return app.ask({ question: QUESTION, strategy: 'review', trace: true, ...more })
}

const APPROVE: Reply = { json: { decision: 'approve', feedback: '' } }
const reject = (feedback: string): Reply => ({ json: { decision: 'reject', feedback } })
const PLAN: Reply = {
  json: { research_steps: [{ agent: 'sql', step: 'Count the customers' }], expert_steps: ['State the count'] },
}
const ANSWER = giveAnswer('There are 92 customers.', 'The database counts 92.')

/** The usual replies, with what a test puts in front of them. */
const rules = (...first: Rule[]): Rule[] => [
  ...first,
  { when: 'You are the planner.', reply: PLAN },
  { when: 'You are a critic.', reply: APPROVE },
  { when: 'You are the expert.', reply: ANSWER },
  ...sqlLoop('SELECT count(*) AS customers FROM customers', 'There are 92 customers.'),
  { when: 'senior business intelligence agent', reply: { text: 'There are 92 customers.' } },
]

const asked = (words: string): string[] =>
  server.requests.filter(({ text }) => text.includes(words)).map(({ text }) => text)

describe('a review without a model', () => {
  it('plans, looks up, checks by program and answers', async () => {
    const { answer, metadata, agentResults } = await ask(undefined)
    expect(answer).toContain('92')
    expect(metadata).toMatchObject({ status: 'finished', strategy: 'review', isAnswered: true, unanswered: [] })
    expect(agentResults.map(({ agent, status }) => [agent, status])).toEqual([['sql', 'succeeded']])
  })

  it('shows its plan', async () => {
    await ask(undefined)
    const planned = await app.plan({ question: QUESTION, strategy: 'review' })
    expect(planned.tasks.map(({ agent }) => agent)).toEqual(['sql'])
  })

  it.each(['Verify how many customers there are', 'How many customers are there, step by step? Check your answer.'])(
    'is what “%s” asks for, and answers the rest of it',
    async (question) => {
      const { answer, metadata, planner } = await ask(undefined, { question, strategy: 'auto' })
      expect(answer).toContain('92')
      expect(metadata).toMatchObject({ strategy: 'review', isAnswered: true, unanswered: [] })
      expect(planner!.guardrails['strategy']).toContain('asks for care')
    },
  )
})

describe('a review with a model', () => {
  it('goes through every step and gives answer and reasoning', async () => {
    const { answer, metadata, trace, citations } = await ask(rules())
    expect(answer).toBe('There are 92 customers.')
    expect(metadata).toMatchObject({ answeredBy: 'model', isAnswered: true, notes: [] })
    expect(citations).toEqual([])
    expect(trace!.find(({ message }) => message === 'Reasoning trace')?.data).toMatchObject({
      final_reasoning_trace: expect.stringContaining('Expert: The database counts 92.'),
    })
    const instructions = trace!.map(({ data }) => data).filter(({ type }) => type === 'instruction')
    expect(instructions.map(({ receiver, step_id: step }) => [receiver, step])).toEqual([
      ['planner', null],
      ['critic_planner', null],
      ['sql', 'research-1'],
      ['critic_researcher', 0],
      ['expert', null],
      ['critic_expert', null],
      ['finalizer', null],
    ])
    expect(instructions.every(({ sender }) => sender === 'orchestrator')).toBe(true)
    expect(instructions.map(({ content }) => content)).toEqual([
      `Develop a logical plan to answer: ${QUESTION}`,
      'Review plan: Count the customers\nState the count',
      'Count the customers',
      expect.stringMatching(/^Review research: .*92/),
      'Perform steps: State the count',
      'Review expert answer: There are 92 customers.',
      'Generate final answer and reasoning trace',
    ])
    // A critic is shown what it judges: the steps apart, and the answer with its reasoning.
    const shown = server.requests.map(({ text }) => text).filter((text) => text.includes('Work:'))
    expect(shown[0]).toContain('Work:\n> Research step 1: Count the customers\n> Expert step 1: State the count')
    expect(shown.at(-1)).toMatch(/Work:\n> Answer: .*\n> Reasoning: The database counts 92\./)
  })

  it('does again what a critic rejects, with the feedback in the next prompt', async () => {
    const first = (step: string, feedback: string): Rule => ({
      when: ({ text }) => text.includes('You are a critic.') && text.includes(`Instruction: ${step}`),
      times: 1,
      reply: reject(feedback),
    })
    const { answer, trace } = await ask(
      rules(
        first('Review plan', 'Name the table'),
        first('Review research', 'Count each customer once'),
        first('Review expert answer', 'Say it in a sentence'),
      ),
    )
    expect(answer).toBe('There are 92 customers.')
    expect(asked('You are the planner.')[1]).toContain('Name the table')
    expect(asked('## Databases').some((text) => text.includes('Count each customer once'))).toBe(true)
    expect(asked('You are the expert.')[1]).toContain('Say it in a sentence')
    const told = trace!.filter(({ data }) => data['type'] === 'instruction').map(({ data }) => data)
    expect(told).toContainEqual(expect.objectContaining({ receiver: 'planner', content: 'Name the table' }))
    expect(told).toContainEqual(expect.objectContaining({ receiver: 'expert', content: 'Say it in a sentence' }))
  })

  it('says after five rejections that there is no answer, and why', async () => {
    const response = await ask(
      rules({
        when: ({ text }) => text.includes('Instruction: Review expert answer'),
        reply: reject('Not good enough'),
      }),
    )
    const { answer, metadata, agentResults } = response
    expect(answer).toBe('The question could not be answered.')
    expect(agentResults.flatMap(({ sources }) => sources)).toHaveLength(1)
    expect([response.data, response.citations, uncitedSources(response)], 'it stands alone').toEqual([
      undefined,
      [],
      [],
    ])
    expect(asked('You are the expert.')).toHaveLength(5)
    expect(metadata).toMatchObject({ isAnswered: false })
    expect(metadata.notes.join(' ')).toContain('Not good enough')
    expect(agentResults).toHaveLength(1)
  })

  it('gives up earlier where the request or the configuration says so, and the run keeps that', async () => {
    const never = rules({ when: ({ text }) => text.includes('Instruction: Review expert answer'), reply: reject('No') })
    const { answer, metadata } = await ask(never, { maxRetries: 2 })
    expect(answer).toBe('The question could not be answered.')
    expect(asked('You are the expert.')).toHaveLength(2)
    expect((await app.runs.state(metadata.runId)).request.maxRetries).toBe(2)
    await writeFile(join(folder, 'tutti.config.json'), JSON.stringify({ defaults: { maxRetries: 3 } }))
    await app.close()
    await ask(never).finally(() => rm(join(folder, 'tutti.config.json')))
    expect(asked('You are the expert.')).toHaveLength(3)
  })

  it('says of a plan that cannot be made what is wrong with it', async () => {
    const nobody: Reply = { json: { research_steps: [{ agent: 'nobody', step: 'Count' }], expert_steps: ['State it'] } }
    const { answer } = await ask(rules({ when: 'You are the planner.', reply: nobody }))
    expect(answer).toBe('The question could not be answered.')
    expect(asked('You are the planner.')[1]).toContain('What the earlier attempt came to: Unknown agent')
    await expect(app.plan({ question: QUESTION, strategy: 'review' })).rejects.toMatchObject({ code: 'UnknownAgent' })
  })

  it('does not believe a critic who approves a figure that nobody found', async () => {
    const invented = giveAnswer('There are 4711 customers.', 'I know.')
    const { answer } = await ask(rules({ when: 'You are the expert.', times: 1, reply: invented }))
    expect(asked('You are the expert.')[1]).toContain('This stands in nothing that was found')
    expect(answer).toBe('There are 92 customers.')
  })

  it('has an expert who works with tools; what they gave is a finding, and nothing else that it says', async () => {
    const input = { database: 'demo', sql: 'SELECT count(*) * count(*) * count(*) AS cube FROM customers' }
    const cube = giveAnswer('The cube of the 92 customers is 778688.', 'The program says so.')
    const { answer, metadata, citations } = await ask(
      rules(
        { when: 'You are the expert.', times: 1, reply: toolCall('mcp_db_query', input) },
        {
          when: 'You are the expert.',
          times: 1,
          reply: giveAnswer('The cube of the 92 customers is 512347.', 'So I think.'),
        },
        { when: 'You are the expert.', times: 1, reply: toolCall('mcp_db_query', input) },
        { when: 'You are the expert.', reply: cube },
        { when: 'senior business intelligence agent', reply: { text: 'The cube of the 92 customers is 778688 [2].' } },
      ),
    )
    expect(asked('You are the expert.')).toHaveLength(4)
    expect(asked('You are the expert.')[1]).toContain('778688')
    expect(asked('You are the expert.')[2]).toContain(
      'This stands in nothing that was found and does not follow from it: 512347',
    )
    expect(answer).toBe('The cube of the 92 customers is 778688 [2].')
    expect(citations.map(({ agent }) => agent)).toContain('review-expert')
    expect(metadata).toMatchObject({ isAnswered: true, answeredBy: 'model' })
  })

  it('tells the expert which field of its answer is missing', async () => {
    const incomplete = toolCall('give_answer', { answer: 'There are 92 customers.' })
    await ask(rules({ when: 'You are the expert.', times: 1, reply: incomplete }))
    expect(asked('You are the expert.')[1]).toContain('expert_reasoning: ')
  })

  it('bounds what the expert calls', async () => {
    const endless: Rule = { when: 'You are the expert.', reply: toolCall('no_such_tool', {}) }
    const { answer, metadata } = await ask(rules(endless))
    expect(answer).toBe('The question could not be answered.')
    // Twelve turns in each of five attempts.
    expect(asked('You are the expert.')).toHaveLength(60)
    expect(metadata.notes.join(' ')).toContain('The model did not return a call of give_answer.')
  })
})
