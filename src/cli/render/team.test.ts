import fc from 'fast-check'
import { expect, it } from 'vitest'
import { parseTeam } from '../../domain/team.ts'
import { createStyle } from './style.ts'
import { teamText } from './team.ts'

const plain = createStyle(false)

const TEAM = {
  name: 'invoices_team',
  purpose: 'Holds invoices against contracts.',
  keywords: ['invoices against contracts'],
  useCases: ['are the invoices right?'],
  supervisor: 'Be strict.',
  agents: [
    {
      name: 'invoices',
      purpose: 'Reads the invoices.',
      tools: ['mcp_db_query'],
      task: 'All invoices',
      call: { tool: 'mcp_db_query', input: { sql: 'SELECT *\nFROM invoices' } },
    },
    { name: 'contracts', purpose: 'Reads the contracts.', tools: ['mcp_db_query'], task: 'All contracts' },
    {
      name: 'comparer',
      purpose: 'Compares.',
      tools: ['run_python'],
      task: 'Compare',
      after: ['invoices', 'contracts'],
    },
    { name: 'writer', purpose: 'Writes.', task: 'Write', after: ['comparer'] },
  ],
  checks: [{ question: 'Which invoices deviate?', contains: ['INV-7'] }, { question: 'Any?' }],
  budget: { maxCalls: 40, maxCostUsd: 0.5 },
}

it('shows the order of members, their tools, the checks and limits', () => {
  expect(teamText(parseTeam(TEAM), plain).split('\n')).toEqual([
    'invoices_team: Holds invoices against contracts.',
    'Order      invoices + contracts → comparer → writer → answer of writer (graph)',
    '  invoices: Reads the invoices.',
    '    with   mcp_db_query',
    '    does   All invoices',
    String.raw`    calls  mcp_db_query {"sql":"SELECT *\nFROM invoices"}, each time`,
    '  contracts: Reads the contracts.',
    '    with   mcp_db_query',
    '    does   All contracts',
    '  comparer, after invoices and contracts: Compares.',
    '    with   run_python',
    '    does   Compare',
    '  writer, after comparer: Writes.',
    '    with   no tools',
    '    does   Write',
    'Told       Be strict.',
    'Asked for  “invoices against contracts”, “are the invoices right?”',
    'Must pass, before it is used',
    '  “Which invoices deviate?”; the answer must hold “INV-7”',
    '  “Any?”',
    'Limits     at most 40 calls, 0.5 USD, and half of what the run that asks it has left',
  ])
  expect(teamText(parseTeam({ ...TEAM, strategy: 'pipeline' }), plain)).toContain('invoices → contracts → comparer')
})

it('omits nothing of a team, and none of its texts can start a line', () => {
  const text = fc
    .array(fc.constantFrom('a', 'Z', ' ', '\n', '\r', '\t', '"', '\\', '\u001b[2J', '\u202E', '\u200B', '“', 'Limits'))
    .map((parts) => `x${parts.join('')}x`)
  const member = fc.record({ purpose: text, task: text, tools: fc.array(text, { maxLength: 3 }) })
  const teams = fc.record({
    purpose: text,
    supervisor: text,
    keywords: fc.array(text, { maxLength: 3 }),
    useCases: fc.array(text, { maxLength: 3 }),
    members: fc.array(member, { minLength: 1, maxLength: 4 }),
    checks: fc.array(fc.record({ question: text, contains: fc.array(text, { maxLength: 2 }) }), {
      minLength: 1,
      maxLength: 3,
    }),
  })
  fc.assert(
    fc.property(teams, ({ members, ...rest }) => {
      const agents = members.map((one, at) => ({ ...one, name: `m${at}` }))
      const team = parseTeam({ name: 'a_team', ...rest, agents })
      const shown = teamText(team, plain)
      for (const leaf of leavesOf(team)) expect(shown).toContain(escaped(leaf))
      expect(shown).not.toMatch(/(?!\n)[\p{Cf}\p{Cc}]/u)
      expect(shown.split('\n')).toHaveLength(6 + 3 * agents.length + team.checks.length - (phrases(team) === 0 ? 1 : 0))
    }),
  )
})

function phrases({ keywords, useCases }: ReturnType<typeof parseTeam>): number {
  return keywords.length + useCases.length
}

function leavesOf(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(leavesOf) : []
}

/** Spells invisible characters as escapes. */
function escaped(text: string): string {
  const spelled: Readonly<Record<string, string>> = {
    '\n': String.raw`\n`,
    '\r': String.raw`\r`,
    '\t': String.raw`\t`,
    '\\': String.raw`\\`,
    '\u001b': String.raw`\u001b`,
    '\u202E': String.raw`\u{202e}`,
    '\u200B': String.raw`\u{200b}`,
  }
  return [...text].map((sign) => spelled[sign] ?? sign).join('')
}
