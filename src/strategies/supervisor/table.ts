/** States of a supervisor's run. */
export type Step = 'preprocess' | 'supervisor' | 'agents' | 'clarifier' | 'qa' | 'end'

interface Row {
  readonly from: Step
  /** The condition on the state of the run. */
  readonly on: string
  readonly to: Step
  /** A sentence for the answer. */
  readonly says?: string
}

/** Why the circuit breaker of the supervisor stops a run. */
export const STUCK = {
  breaker: 'The same agent was asked again and again without anything new',
  derailed: 'The plan was changed again and again without anything new',
} as const

/** All that can come after a step. The strategy reads it, and so does the diagram of its documentation. */
export const TABLE = {
  planned: { from: 'preprocess', on: 'there is a first plan', to: 'supervisor' },
  chosen: { from: 'supervisor', on: 'agents are chosen', to: 'agents' },
  replanned: { from: 'supervisor', on: 'a person changed the plan', to: 'supervisor' },
  asks: { from: 'supervisor', on: 'it has a question to the user', to: 'clarifier' },
  early: { from: 'supervisor', on: 'nobody is chosen, and parts are open', to: 'supervisor' },
  done: { from: 'supervisor', on: 'every part of the plan is done', to: 'qa' },
  stuck: { from: 'supervisor', on: 'what is left cannot be done', to: 'qa' },
  earlyAgain: {
    from: 'supervisor',
    on: 'parts are open, and nobody is chosen once more',
    to: 'qa',
    says:
      'The supervisor chose no agent for the remaining parts. Ask for them alone, or choose the strategy graph, which ' +
      'asks an agent for each part.',
  },
  repeated: {
    from: 'supervisor',
    on: 'only what was done already is asked for',
    to: 'supervisor',
  },
  limit: { from: 'supervisor', on: 'the budget or the turns are used up', to: 'qa' },
  broken: {
    from: 'supervisor',
    on: 'the supervisor failed',
    to: 'qa',
    says: 'The work was ended, since its language model gave no decision on the next steps.',
  },
  unclear: { from: 'supervisor', on: 'the circuit breaker or derailment, and somebody can be asked', to: 'clarifier' },
  breaker: {
    from: 'supervisor',
    on: 'an agent is routed to again without progress, twice',
    to: 'qa',
    says: `${STUCK.breaker}, so the work was ended.`,
  },
  derailed: {
    from: 'supervisor',
    on: 'turn after turn finds nothing',
    to: 'qa',
    says: `${STUCK.derailed}, so the work was ended.`,
  },
  settled: { from: 'agents', on: 'all of them have settled', to: 'supervisor' },
  finished: { from: 'agents', on: 'they were the last ones, and succeeded without a gap', to: 'qa' },
  answered: { from: 'clarifier', on: 'the person has answered', to: 'supervisor' },
  unanswered: {
    from: 'clarifier',
    on: 'there is no answer',
    to: 'qa',
    says: 'The work was ended, since a question to you was left without an answer.',
  },
  composed: { from: 'qa', on: 'the answer is composed', to: 'end' },
} as const satisfies Readonly<Record<string, Row>>

export type Situation = keyof typeof TABLE

/** The answer's sentence about how a run ended; undefined if none is needed. */
export function decisionText(situation: Situation): string | undefined {
  const row: Row = TABLE[situation]
  return row.says
}
