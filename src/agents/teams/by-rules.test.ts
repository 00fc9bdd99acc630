import { expect, it } from 'vitest'
import { defineAgent } from '../../core/actor.ts'
import { teamByRules } from './by-rules.ts'

const sql = defineAgent({
  name: 'sql',
  description: 'Asks the database.',
  capabilities: [],
  useCases: [],
  keywords: [],
  tools: [{ name: 'mcp_db_query', description: 'Asks.', effect: 'read' }],
  run: async () => ({}),
})

const designed = (wish: string) =>
  teamByRules(`Build me a team that ${wish}`, {
    agents: [sql],
    databases: [],
    lacking: [],
    plan: (text) => [{ id: 'a', agent: 'sql', text, dependsOn: [] }],
  })

it('puts a question that is quoted as it stands, and nothing else as if it were one', () => {
  for (const question of ['How many orders are open, and was one late?', 'Revenue by month since January 2025']) {
    expect(designed(`answers “${question}”`)).toMatchObject({ agents: [{ task: question }] })
    expect(designed(`answers “${question}” and writes a report`)).toMatchObject({
      agents: [{ task: question }, { name: 'writer' }],
    })
    const more = `answers “${question}” and sends a mail`
    expect(designed(more)).not.toMatchObject({ agents: [{ task: question }] })
  }
})
