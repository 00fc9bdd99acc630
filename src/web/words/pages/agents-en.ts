/** Words of the page of agents, which come with it. */
export const agentsEn = {
  well: (n: number) => (n === 1 ? 'Its latest task went well' : `Its latest ${n} tasks went well`),
  failed: (n: number, all: number) => `${n} of its latest ${all} tasks failed`,
  notAsked: 'You have not asked it yet',
  errors: 'Recent errors',
  byRules: 'by rules',
}
