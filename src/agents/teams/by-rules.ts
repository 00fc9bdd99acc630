import { ruleText } from '../../core/rule-text.ts'
import type { Agent } from '../../core/actor.ts'
import type { Task } from '../../core/plan.ts'
import type { Team, TeamMember } from '../../core/team.ts'
import { parseTeam } from '../../core/team.ts'
import type { DatabaseSchema, TableSchema } from '../../databases/schema.ts'
import { sameWord } from '../../terms/words.ts'
import { tableName } from '../../terms/dialect.ts'
import { isOwnPhrase } from '../team-words.ts'

/** A database that can be asked. */
export interface KnownDatabase {
  readonly name: string
  readonly schema: DatabaseSchema
}

/** What is known of the databases. */
export interface KnownDatabases {
  readonly databases: readonly KnownDatabase[]
  /** Of those that cannot be read, and of there being none, in sentences. */
  readonly lacking: readonly string[]
}

export interface Material extends KnownDatabases {
  readonly agents: readonly Agent[]
  /** What planning by rules makes of a question for these agents. */
  readonly plan: (question: string, agents: readonly Agent[]) => readonly Task[]
}

const LEAD =
  /^\W*(?:please\s+)?(?:(?:can|could|would)\s+you\s+)?(?:build|create|make|design|set\s+up|assemble|put\s+together)\s+(?:me\s+|us\s+)?(?:an?\s+|the\s+)?(?:new\s+)?team(?:\s+of\s+agents)?(?:\s+(?:that|which|who|to|for))?(?:\s+|$)/i
const AGAINST =
  /\b(?:check|compare|reconcile|match|verify|audit|watch|monitor)(?:s|es|ing)?\s+(?:(?:all|the|our|each|every)\s+)*([\p{L}_][\p{L}\p{N}_ ]*?)\s+(?:against|with|to)\s+(?:(?:all|the|our|their|its)\s+)*([\p{L}_][\p{L}\p{N}_]*)/iu
const REPORT = /,?\s*(?:and|then)\s+(?:write|report|summari[sz]e)\b.*$/i
/** A question that is put as it stands, with or without a report of it. */
const QUOTED =
  /^answers?\s+[“"]([^“”"]+)[”"](?:,?\s*(?:and|then)\s+(?:write|report|summari[sz]e)s?(?:\s+(?:a|the)\s+report)?)?$/i
/** That questions are to be answered is what every team is for, and no word of the question. */
const TELLING =
  /^(?:answer|tell|say|find out|work out|look up)\s+(?:(?:me|us|them)\s+)?(?=(?:how|what|which|who|when|where|whether)\b)/i
const WRITES = /\b(?:writ|report|summari)(?:e|es|s|ing)?\b/i

/** A team without a model, from templates by what is at hand; a text says why there can be none. */
export function teamByRules(goal: string, material: Material): Team | string {
  const wish = ruleText(goal)
    .replace(/[\s.!?]+$/, '')
    .replace(LEAD, '')
  if (wish === '') return 'Say what the team is for: "Build me a team that checks invoices against contracts".'
  const [, one, other] = AGAINST.exec(wish) ?? []
  return one === undefined || other === undefined ? inSteps(wish, material) : comparing(wish, one, other, material)
}

/** Gather from two tables, compare, write. */
function comparing(wish: string, one: string, other: string, material: Material): Team | string {
  const sides = [one, other].map((noun) => ({ noun, found: tablesOf(noun, material) }))
  for (const { noun, found } of sides) {
    if (found.length === 1) continue
    return found.length === 0
      ? unknown(noun, material)
      : `“${noun}” is a table of several databases: ${found.map(({ database }) => database.name).join(', ')}. Open one of them alone.`
  }
  const members = sides.map(({ found }) => reading(found[0]!.table, found[0]!.database))
  const [some, others] = members.map(({ name }) => name)
  const compare: TeamMember = {
    name: 'comparer',
    purpose: `Finds where ${some} deviate from ${others}.`,
    tools: ['run_python'],
    task: `Compare the ${some} with the ${others}`,
    after: [some!, others!],
  }
  const asked = `Check the ${some} against the ${others}`
  const joints = ['against', 'with', 'to']
  return teamOf(wish, {
    members: [...members, compare],
    name: `${some}_${others}_team`,
    keywords: joints.flatMap((joint) => [`${some} ${joint} ${others}`, `${some} ${joint} the ${others}`]),
    asked,
  })
}

function unknown(noun: string, { databases, lacking }: Material): string {
  const known = databases.flatMap(({ schema }) => schema.tables.map(({ name }) => name)).slice(0, 20)
  const tables = known.length === 0 ? [] : [`There are tables of ${known.join(', ')}.`]
  const others = 'Other sources take a language model to be compared.'
  return [`No tool at hand knows of “${noun}”.`, ...lacking, ...tables, others].join(' ')
}

/** What planning by rules makes of the goal, one member for each task. */
function inSteps(wish: string, { agents, lacking, plan }: Material): Team | string {
  const able = agents.filter(({ unavailable, planning }) => unavailable === undefined && planning?.takes === undefined)
  const asked = wish
    .split(/(?<=,|\band|\bthen)\s+/i)
    .map((part) => imperative(part).replace(TELLING, ''))
    .join(' ')
    .replace(/^\p{L}/u, (first) => first.toUpperCase())
  const withoutReport = QUOTED.exec(wish)?.[1] ?? asked.replace(REPORT, '')
  const members = plan(withoutReport, able).map(({ id, agent, text, dependsOn }): TeamMember => {
    const { description, tools = [], planning } = able.find(({ name }) => name === agent)!
    const least = tools.filter(({ effect }) => effect === 'read' || planning?.acts === true)
    const name = nameOf(`${id}_step`)
    return {
      name,
      purpose: description,
      tools: least.map((tool) => tool.name),
      task: text ?? withoutReport,
      after: dependsOn.map((one) => nameOf(`${one}_step`)),
    }
  })
  const toolless = members.find(({ tools }) => tools.length === 0)
  if (members.length === 0 || toolless !== undefined)
    return [`No tool at hand fits “${wish}”, as far as can be told without a language model.`, ...lacking].join(' ')
  const name = nameOf(`${wish.split(/\s+/).slice(0, 3).join('_')}_team`)
  return teamOf(wish, { members, name, keywords: [wish.toLowerCase()], asked })
}

interface Parts {
  readonly members: readonly TeamMember[]
  readonly name: string
  readonly keywords: readonly string[]
  /** How people will ask. */
  readonly asked: string
}

function teamOf(wish: string, { members, name, keywords, asked }: Parts): Team {
  const awaited = new Set(members.flatMap(({ after }) => after))
  const last = members.map((member) => member.name).filter((one) => !awaited.has(one))
  const writer = {
    name: 'writer',
    purpose: 'Writes the report.',
    task: 'Write a report of what was found.',
    after: last,
  }
  return parseTeam({
    name,
    purpose: `${wish.replace(/^\p{L}/u, (first) => first.toUpperCase())}.`,
    keywords: keywords.filter(isOwnPhrase),
    useCases: [asked],
    strategy: 'graph',
    agents: WRITES.test(wish) ? [...members, writer] : members,
    checks: [{ question: `${asked}.` }],
  })
}

function tablesOf(noun: string, { databases }: Material) {
  const wanted = noun.trim().toLowerCase().replaceAll(/\s+/g, '_')
  return databases.flatMap((database) =>
    database.schema.tables
      .filter(({ name }) => sameWord(name.toLowerCase(), wanted))
      .map((table) => ({ table, database })),
  )
}

/** The whole table, by one call that is the same each time. */
function reading(table: TableSchema, { name: database, schema }: KnownDatabase): TeamMember {
  const tool = 'mcp_db_query'
  const sql = `SELECT * FROM ${tableName(table, schema.dialect)}`
  return {
    name: nameOf(table.name),
    purpose: `Reads all ${table.name}.`,
    tools: [tool],
    task: `Read all ${table.name}`,
    after: [],
    call: { tool, input: { database, sql } },
  }
}

/** “checks” is “check”. */
function imperative(part: string): string {
  return part.replace(/^(\p{L}+?)(ies|(?<=s|x|z|ch|sh)es|(?<!s)s)(?=\s|$)/iu, (_all, stem: string, end: string) =>
    end === 'ies' ? `${stem}y` : stem,
  )
}

function nameOf(text: string): string {
  const plain = text
    .toLowerCase()
    .replaceAll(/[^a-z0-9_-]+/g, '_')
    .replace(/^[^a-z]+/, '')
    .slice(0, 36)
  return plain.length < 2 ? `${plain}_x`.replace(/^_/, 'a_') : plain
}
