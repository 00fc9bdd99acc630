/** The steps of a review, in order, if no step is sent back. */
export const STEPS = [
  'planner',
  'critic_planner',
  'researcher',
  'critic_researcher',
  'expert',
  'critic_expert',
  'finalizer',
] as const
export type Step = (typeof STEPS)[number]

/**
 * The outcome of a step: a critic's decision, an error with or without a useful retry, an agent's decline, or its end.
 */
export type StepOutcome = 'done' | 'approve' | 'reject' | 'recoverable' | 'critical' | 'declined'

/** One row of the table of next steps. */
export interface Row {
  readonly after: Step | 'input'
  /** Absent: any outcome. */
  readonly outcome?: StepOutcome
  /** Whether there must be research that is not approved yet; absent: either way. */
  readonly isResearchLeft?: boolean
  readonly next: Step
  /** Counts towards the question's limit of retries. */
  readonly isRetry?: true
}

/** Transitions. The first matching row decides; the finalizer has none. */
export const NEXT_STEPS: readonly Row[] = [
  { after: 'input', next: 'planner' },
  ...STEPS.filter((step) => step !== 'finalizer').flatMap((step): Row[] => [
    { after: step, outcome: 'recoverable', next: step, isRetry: true },
    { after: step, outcome: 'critical', next: 'finalizer' },
  ]),
  { after: 'planner', next: 'critic_planner' },
  { after: 'critic_planner', outcome: 'approve', isResearchLeft: true, next: 'researcher' },
  { after: 'critic_planner', outcome: 'approve', isResearchLeft: false, next: 'expert' },
  { after: 'critic_planner', outcome: 'reject', next: 'planner', isRetry: true },
  { after: 'researcher', outcome: 'declined', isResearchLeft: true, next: 'researcher' },
  { after: 'researcher', outcome: 'declined', isResearchLeft: false, next: 'expert' },
  { after: 'researcher', next: 'critic_researcher' },
  { after: 'critic_researcher', outcome: 'approve', isResearchLeft: true, next: 'researcher' },
  { after: 'critic_researcher', outcome: 'approve', isResearchLeft: false, next: 'expert' },
  { after: 'critic_researcher', outcome: 'reject', next: 'researcher', isRetry: true },
  { after: 'expert', next: 'critic_expert' },
  { after: 'critic_expert', outcome: 'approve', next: 'finalizer' },
  { after: 'critic_expert', outcome: 'reject', next: 'expert', isRetry: true },
]

/** The row for the outcome of a step; undefined after the finalizer. */
export function rowFor(after: Row['after'], outcome: StepOutcome, isResearchLeft: boolean): Row | undefined {
  return NEXT_STEPS.find(
    (row) =>
      row.after === after &&
      (row.outcome ?? outcome) === outcome &&
      (row.isResearchLeft ?? isResearchLeft) === isResearchLeft,
  )
}
