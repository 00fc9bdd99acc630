/** Words of what agents did, for who runs the installation. */
export const executionsEn = {
  executions: {
    title: 'Executions',
    lead: 'which agent did what with what, of everybody, the latest first',
    agent: 'Agent',
    state: 'Status',
    person: 'Person',
    all: 'All',
    none: 'Nothing was done yet that matches.',
    cut: (n: number) => `The latest ${n} are shown; choose an agent, a status or a person to see others.`,
    role: 'a step of planning or writing',
    question: 'the question as a whole',
    run: 'Run',
    status: { running: 'Running', succeeded: 'Done', failed: 'Failed', skipped: 'Skipped' },
  },
}
