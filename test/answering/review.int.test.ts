import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import type { App } from '../../src/app/user-app.ts'
import { uncitedSources } from '../../src/domain/response.ts'
import type { RequestInput } from '../../src/domain/request.ts'
import { createDemoDatabase } from '../../src/app/demo-data.ts'
import { openConfiguredApp } from '../../src/app/setup.ts'
import {
  giveAnswer,
  sqlLoop,
  startModelServer,
  toolCall,
  type ModelRequest,
  type Reply,
  type Rule,
} from '../support/model-server.ts'
import { openForAll } from '../support/opened.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

/** The whole product with the strategy `review`, without a model and with a scripted provider. */

const QUESTION = 'Show the count of customers'

const folder = temporaryFolder()
const server = openForAll(() => startModelServer())
beforeAll(() => createDemoDatabase(join(folder, 'demo.sqlite')))
const app = openForAll(() => open())

const withServer = () => ({ TUTTI_MODEL_URL: server.url, TUTTI_MODEL: 'compatible:scripted' })

function open(env: Readonly<Record<string, string>> = withServer()): Promise<App> {
  return openConfiguredApp({
    env,
    cwd: folder,
    inMemory: true,
    databases: [{ url: `sqlite:${join(folder, 'demo.sqlite')}` }],
    onError: (error) => expect.fail(error.message),
  })
}

async function ask(script: readonly Rule[], more: Partial<RequestInput> = {}) {
  server.script(script)
  return app.ask({ question: QUESTION, strategy: 'review', memory: false, trace: true, ...more })
}

const APPROVE: Reply = { json: { decision: 'approve', feedback: '' } }
const reject = (feedback: string): Reply => ({ json: { decision: 'reject', feedback } })
const PLAN: Reply = {
  json: { research_steps: ['Count the customers'], expert_steps: ['State the count'] },
}
const ANSWER = giveAnswer('There are 92 customers [s1].', 'The database counts 92.')
const TRACE = 'The database was asked, and counts 92 [s1].'
const FINAL: Reply = { text: `There are 92 customers [s1].\n\n<reasoning_trace>${TRACE}</reasoning_trace>` }

/** The usual replies, after the replies of the test. */
const rules = (...first: Rule[]): Rule[] => [
  ...first,
  { when: 'You are the planner.', reply: PLAN },
  { when: 'You are a critic.', reply: APPROVE },
  { when: 'You are the expert.', reply: ANSWER },
  { when: 'You are the finalizer', reply: FINAL },
  ...sqlLoop('SELECT count(*) AS customers FROM customers', 'There are 92 customers [s1].'),
]

const asked = (words: string): string[] =>
  server.requests.filter(({ text }) => text.includes(words)).map(({ text }) => text)

it('a review without a model plans, queries, checks by rules and answers', async () => {
  const bare = await open({})
  onTestFinished(() => bare.close())
  const { answer, metadata, agentResults } = await bare.ask({ question: QUESTION, strategy: 'review' })
  expect(answer).toContain('92')
  expect(metadata).toMatchObject({ status: 'finished', strategy: 'review', isAnswered: true, unanswered: [] })
  expect(agentResults.map(({ agent, status }) => [agent, status])).toEqual([['sql', 'succeeded']])
})

describe('a review with a model', () => {
  it('runs every step and returns answer and reasoning', async () => {
    const response = await ask(rules())
    const { answer, metadata, trace, citations, agentResults } = response
    expect(answer).toBe('There are 92 customers [1].')
    expect([response.finalAnswer, response.finalReasoningTrace]).toEqual([
      answer,
      'The database was asked, and counts 92 [1].',
    ])
    expect(metadata).toMatchObject({ answeredBy: 'model', isAnswered: true, notes: [] })
    expect(citations).toMatchObject([{ n: 1, agent: 'researcher' }])
    expect(agentResults.map(({ agent, status }) => [agent, status])).toEqual([['researcher', 'succeeded']])
    const instructions = trace!.map(({ data }) => data).filter(({ type }) => type === 'instruction')
    expect(instructions.map(({ sender, receiver, step_id, content }) => [sender, receiver, step_id, content])).toEqual([
      ['orchestrator', 'planner', null, `Develop a logical plan to answer: ${QUESTION}`],
      ['orchestrator', 'critic_planner', null, 'Review plan: Count the customers\nState the count'],
      ['orchestrator', 'researcher', 0, 'Count the customers'],
      ['orchestrator', 'critic_researcher', 0, 'Review research: There are 92 customers [1].'],
      ['orchestrator', 'expert', null, 'Perform steps: State the count'],
      ['orchestrator', 'critic_expert', null, 'Review expert answer: There are 92 customers [1].'],
      ['orchestrator', 'finalizer', null, 'Generate final answer and reasoning trace'],
    ])
    // A critic sees the steps separately, and the answer with its reasoning.
    const shown = asked('You are a critic.')
    expect(shown[0]).toContain('<work>\nResearch step 1: Count the customers\nExpert step 1: State the count\n</work>')
    expect(shown.at(-1)).toContain('<work>\nAnswer: There are 92 customers [s1].\nReasoning: The database counts 92.')
  })

  // Question, steps and answers are those of the strategy's description.
  it.each([
    ['with research', ['Research CRISPR definition', 'Research CRISPR inventors']],
    ['without research', []],
  ])('answers "What is CRISPR?" from general knowledge, %s', async (_name, steps) => {
    const found: Record<string, string> = {
      'Research CRISPR definition': 'From general knowledge: CRISPR is a gene editing technology.',
      'Research CRISPR inventors': 'From general knowledge: CRISPR was invented by Doudna and Charpentier.',
    }
    const text =
      'CRISPR (Clustered Regularly Interspaced Short Palindromic Repeats) is a gene editing technology invented by Doudna and Charpentier in 2012.'
    const trace = 'The system researched CRISPR definition and inventors.'
    const response = await ask(
      [
        {
          when: 'You are the planner.',
          reply: {
            json: {
              research_steps: steps.map((step) => ({ step, agent: null })),
              expert_steps: ['Define CRISPR', 'Identify inventors'],
            },
          },
        },
        { when: 'You are a critic.', reply: { json: { decision: 'approve' } } },
        ...Object.entries(found).map(([step, reply]): Rule => {
          const isStep: Rule['when'] = ({ text: all, messages }) =>
            all.includes('You are the researcher.') && messages.at(-1)!.text.endsWith(step)
          return { when: isStep, reply: { text: reply } }
        }),
        { when: 'You are the expert.', reply: { text } },
        {
          when: 'You are the finalizer',
          reply: { text: `${text}\n<reasoning_trace>\n${trace}\n</reasoning_trace>` },
        },
      ],
      { question: 'What is CRISPR?' },
    )
    expect(response.answer).toBe(text)
    expect(response.finalReasoningTrace).toBe(trace)
    expect(response.metadata).toMatchObject({ isAnswered: true, notes: ['No source was used for this answer.'] })
    const [expert] = asked('You are the expert.')
    for (const step of steps) expect(expert).toContain(found[step])
    expect(server.requests).toHaveLength(2 + 2 * steps.length + 3)
  })

  it('repeats rejected work, with the feedback in the next prompt', async () => {
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
    expect(answer).toBe('There are 92 customers [1].')
    expect(asked('You are the planner.')[1]).toContain('Name the table')
    expect(asked('## Databases').some((text) => text.includes('Count each customer once'))).toBe(true)
    expect(asked('You are the expert.')[1]).toContain('Say it in a sentence')
    const told = trace!.map(({ data }) => data).filter(({ type }) => type === 'instruction')
    expect(told.map(({ receiver, content, step_id }) => [receiver, content, step_id])).toEqual(
      expect.arrayContaining([
        ['planner', 'Name the table', null],
        ['expert', 'Say it in a sentence', null],
        ['researcher', 'Count each customer once', 0],
      ]),
    )
    const replies = trace!.filter(({ data }) => data['type'] === 'response').map(({ data }) => data['sender'])
    expect(replies.filter((sender) => sender === 'researcher')).toHaveLength(2)
  })

  it('shows critics the calls behind the work, and the figures that are in none of their results', async () => {
    const invented = giveAnswer('There are 92 customers [s1], with orders of 48,271.33.', 'The database counts 92.')
    await ask(rules({ when: 'You are the expert.', reply: invented }))
    const [, ofResearch, ofExpert] = asked('You are a critic.')
    expect(ofResearch).toMatch(/<call>\nquery .*SELECT count\(\*\) AS customers FROM customers.*\n\[s1\]/)
    expect(ofResearch).toContain('There are 92 customers [s1].')
    expect(ofResearch).not.toContain('<figures_in_no_source>')
    expect(ofExpert).toContain('<figures_in_no_source>\n48,271.33\n</figures_in_no_source>')
  })

  it('accepts “Approved”, and asks a critic once again that rejects without feedback', async () => {
    const critic = ({ text }: ModelRequest): boolean => text.includes('Instruction: Review plan')
    const { answer, metadata } = await ask(
      rules(
        { when: critic, times: 1, reply: { json: { decision: 'Rejected', feedback: '' } } },
        { when: critic, reply: { json: { decision: 'Approved' } } },
      ),
    )
    expect(answer).toBe('There are 92 customers [1].')
    expect(asked('Instruction: Review plan')[1]).toContain('feedback: say what to do differently')
    expect(metadata.notes).toEqual([])
    expect(asked('You are the planner.')).toHaveLength(1)
    await ask(rules({ when: critic, times: 2, reply: { json: { decision: 'Rejected' } } }))
    expect(asked('You are the planner.')).toHaveLength(2)
  })

  it('reports after five rejections that there is no answer, and why', async () => {
    const response = await ask(
      rules({
        when: ({ text }) => text.includes('Instruction: Review expert answer'),
        reply: reject('Not good enough'),
      }),
    )
    const { answer, metadata, agentResults } = response
    expect(answer).toBe('The question could not be answered.')
    expect(agentResults.flatMap(({ sources }) => sources)).toHaveLength(1)
    expect([response.data, response.citations, uncitedSources(response)]).toEqual([undefined, [], []])
    expect(asked('You are the expert.')).toHaveLength(5)
    expect(metadata).toMatchObject({ isAnswered: false, unanswered: [QUESTION] })
    expect(metadata.notes.join(' ')).toContain('Not good enough')
    expect(response.notices).toContainEqual(
      expect.objectContaining({ code: 'limit_reached', params: { limit: 'maxRetries' } }),
    )
    expect(agentResults).toHaveLength(1)
  })

  it('uses a lower limit from the request or the configuration, and the run keeps it', async () => {
    const never = rules({ when: ({ text }) => text.includes('Instruction: Review expert answer'), reply: reject('No') })
    const { answer, metadata } = await ask(never, { maxRetries: 2 })
    expect(answer).toBe('The question could not be answered.')
    expect(asked('You are the expert.')).toHaveLength(2)
    expect((await app.runs.state(metadata.runId)).request.maxRetries).toBe(2)
    await writeFile(join(folder, 'tutti.config.json'), JSON.stringify({ defaults: { maxRetries: 3 } }))
    const limited = await open().finally(() => rm(join(folder, 'tutti.config.json')))
    onTestFinished(() => limited.close())
    server.script(never)
    await limited.ask({ question: QUESTION, strategy: 'review' })
    expect(asked('You are the expert.')).toHaveLength(3)
  })

  it('reports the fault of an invalid plan', async () => {
    const nobody: Reply = { json: { research_steps: [{ agent: 'nobody', step: 'Count' }], expert_steps: ['State it'] } }
    const { answer } = await ask(rules({ when: 'You are the planner.', reply: nobody }))
    expect(answer).toBe('The question could not be answered.')
    expect(asked('You are the planner.')[1]).toContain('Your answer cannot be used: Unknown agent "nobody"')
    await expect(app.plan({ question: QUESTION, strategy: 'review' })).rejects.toThrow('Unknown agent "nobody"')
  })

  it('has an expert with tools, whose own answer does not count as research', async () => {
    const sql = 'SELECT count(*) * count(*) AS square FROM customers'
    const square = giveAnswer('The square of the 92 customers is 8464 [s2].', 'The query [s2] says so.')
    const { answer, metadata, citations, data } = await ask(
      rules(
        { when: 'You are the expert.', times: 1, reply: toolCall('query', { sql }) },
        { when: 'You are the expert.', reply: square },
        { when: 'You are the finalizer', reply: { text: 'The square of the 92 customers is 8464 [s2].' } },
      ),
    )
    expect(asked('You are the expert.')[1]).toContain('8464')
    const judged = asked('Instruction: Review expert answer').at(-1)!
    expect(judged.match(/<research /g)).toHaveLength(1)
    expect(answer).toBe('The square of the 92 customers is 8464 [1].')
    // The reasoning trace cites the second one.
    expect(citations.map(({ agent }) => agent)).toEqual(['review-expert', 'researcher'])
    expect(data?.rows, 'of the first cited query').toEqual([{ square: 8464 }])
    expect(judged).toMatch(/Answer: .*\[s2\]\.\nReasoning: The query \[s2\] says so\./)
    expect(metadata).toMatchObject({ isAnswered: true, answeredBy: 'model' })
  })

  it('says nothing of missing sources beside an answer that cites a computation', async () => {
    const { answer, citations, metadata } = await ask(
      rules(
        { when: 'You are the planner.', reply: { json: { research_steps: [], expert_steps: ['Multiply'] } } },
        { when: 'You are the expert.', times: 1, reply: toolCall('calculate', { expressions: ['92 * 92'] }) },
        { when: 'You are the expert.', reply: giveAnswer('The square of 92 is 8464 [s1].', 'It was computed.') },
        { when: 'You are the finalizer', reply: { text: 'The square of 92 is 8464 [s1].' } },
      ),
    )
    expect(answer).toBe('The square of 92 is 8464 [1].')
    expect(citations).toMatchObject([{ source: { kind: 'computation' } }])
    expect(metadata.notes).toEqual([])
  })

  const TAGGED_TRACE = `<reasoning_trace>${TRACE}</reasoning_trace>\n`
  const OPEN = '\n<not_answered>\n- their ages\n</not_answered>\n'
  const COUNTED = 'There are 92 customers.'

  it.each([
    ['before the trace', COUNTED + OPEN + TAGGED_TRACE, [{ step: 'Count the customers' }]],
    ['behind the trace', COUNTED + TAGGED_TRACE + OPEN, [{ step: 'Count the customers' }]],
    ['before the answer', OPEN + TAGGED_TRACE + COUNTED, [{ step: 'Count the customers' }]],
    ['of a plan without research', COUNTED + TAGGED_TRACE + OPEN, []],
  ])('reports open parts, %s', async (_how, text, research_steps) => {
    const not_possible = [{ part: 'post it', reason: 'no agent posts' }]
    const plan = { research_steps, expert_steps: ['State the count'], not_possible }
    const response = await ask(
      rules(
        { when: 'You are the planner.', reply: { json: plan } },
        { when: 'You are the finalizer', reply: { text } },
      ),
    )
    expect(response.answer).toBe('There are 92 customers.')
    expect(response.finalReasoningTrace).toContain('The database was asked')
    expect(response.status).toBe('partly')
    expect(response.metadata.unanswered).toEqual(['post it', 'their ages'])
    expect(response.notices.filter(({ code }) => code === 'declined')).toHaveLength(1)
    expect(asked('You are the finalizer')[0]).toContain('<not_possible>\n- post it: no agent posts\n</not_possible>')
  })

  it('does not retry for a missing reasoning or trace', async () => {
    const incomplete = toolCall('give_answer', { answer: 'There are 92 customers.' })
    const response = await ask(
      rules(
        { when: 'You are the expert.', reply: incomplete },
        { when: 'You are the finalizer', reply: { text: 'There are 92 customers.' } },
      ),
    )
    expect(response.answer).toBe('There are 92 customers.')
    expect(response.finalReasoningTrace).toContain('researcher on “Count the customers”: There are 92 customers')
    expect(asked('You are the expert.')).toHaveLength(1)
  })

  it.each<[string, Reply]>([
    ['fails', { status: 401 }],
    ['writes the trace alone', { text: TAGGED_TRACE }],
    ['writes JSON that is cut off', { text: '{"final_answer": "There are 92 customers, and the' }],
  ])('gives the approved answer of the expert, with a notice, where the finalizer %s', async (_what, reply) => {
    const { answer, finalReasoningTrace, notices, metadata } = await ask(
      rules({ when: 'You are the finalizer', reply }),
    )
    expect(answer).toBe('There are 92 customers [1].')
    expect(finalReasoningTrace).toContain('The database counts 92.')
    expect(notices).toContainEqual(expect.objectContaining({ text: expect.stringContaining('the expert’s stands') }))
    expect(metadata).toMatchObject({ status: 'finished', isAnswered: true, answeredBy: 'model' })
  })

  it('counts an expert whose JSON is cut off as a retry', async () => {
    const { answer } = await ask(rules({ when: 'You are the expert.', times: 1, reply: { text: '{"answer": "There' } }))
    expect(answer).toBe('There are 92 customers [1].')
    expect(asked('You are the expert.')).toHaveLength(2)
  })

  it('counts a critic without a decision as a retry, and nothing passes unjudged', async () => {
    const judged = 'Instruction: Review research'
    const critic = ({ text }: ModelRequest): boolean => text.includes(judged)
    const prose: Reply = { text: '**Reject.** The research does not say how many.' }
    const { answer } = await ask(rules({ when: critic, times: 2, reply: prose }))
    expect(answer).toBe('There are 92 customers [1].')
    expect(asked(judged)).toHaveLength(3)
    const response = await ask(rules({ when: critic, reply: prose }))
    expect(response.answer).toBe('The question could not be answered.')
    expect(asked('You are the expert.')).toHaveLength(0)
  })

  it('limits the calls of the expert', async () => {
    const endless: Rule = { when: 'You are the expert.', reply: toolCall('no_such_tool', {}) }
    const { answer, metadata } = await ask(rules(endless))
    expect(answer).toBe('The question could not be answered.')
    // Twelve turns in each of five attempts.
    expect(asked('You are the expert.')).toHaveLength(60)
    expect(metadata.notes.join(' ')).toContain('The model did not return an answer.')
  })
})
