/** The word that a run waits for whose plan was shown first. */
export const START = { decision: 'approved', instructions: 'start' } as const
