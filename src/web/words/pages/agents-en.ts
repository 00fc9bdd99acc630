/** Words of the page of agents, which come with it. */
export const agentsEn = {
  well: (n: number) => (n === 1 ? 'Its latest task went well' : `Its latest ${n} tasks went well`),
  failed: (n: number, all: number) => `${n} of its latest ${all} tasks failed`,
  declined: (n: number, all: number) =>
    n === all
      ? `It declined its latest ${n === 1 ? 'task' : `${n} tasks`}`
      : `It declined ${n} of its latest ${all} tasks`,
  asked: 'Asked; nothing has come of it yet',
  notAsked: 'You have not asked it yet',
  errors: 'Recent errors',
  byRules: 'by rules',
}
