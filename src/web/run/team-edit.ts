import type { Schemas } from '../../client/api-types.ts'
import { isCircular, connectTasks, disconnectTasks, possibleDependencies, removeTask, type Draft } from './plan-edit.ts'

export type Team = Schemas['TeamVersion']['team']
export type Member = Team['agents'][number]

/**
 * Immutable edits of a team: each change returns a new one. Members are identified by index, since their names change.
 */

/** The members as tasks of a plan, which has the same dependency rules. */
function plan({ agents }: Team): Draft {
  return agents.map(({ name, after }) => ({ id: name, agent: name, dependsOn: after }) as Draft[number])
}

function planned(team: Team, draft: Draft): Team {
  const afters = new Map(draft.map(({ id, dependsOn }) => [id, [...dependsOn]]))
  return {
    ...team,
    agents: team.agents.map((member) => ({ ...member, after: afters.get(member.name) ?? member.after })),
  }
}

const nameAt = ({ agents }: Team, at: number): string => agents[at]?.name ?? ''

/** Whether a member would wait for itself if it waited for `after`. */
export function isCircularIn(team: Team, at: number, after: number): boolean {
  return isCircular(plan(team), nameAt(team, after), nameAt(team, at))
}

/** Adds a dependency. Returns the same team if that would create a cycle. */
export function addDependency(team: Team, at: number, after: number): Team {
  const before = plan(team)
  const then = connectTasks(before, nameAt(team, after), nameAt(team, at))
  return then === before ? team : planned(team, then)
}

export function removeDependency(team: Team, at: number, from: string): Team {
  return planned(team, disconnectTasks(plan(team), from, nameAt(team, at)))
}

/** Names of the members that can be added as its dependencies. */
export function possibleMembersBefore(team: Team, at: number): readonly string[] {
  return possibleDependencies(plan(team), nameAt(team, at)).map(({ id }) => id)
}

/** Converts typed text to a valid name. */
export function toName(typed: string): string {
  return typed
    .toLowerCase()
    .replaceAll('ß', 'ss')
    .normalize('NFD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[^a-z0-9_-]+/g, '_')
}

/** Changes a member. After a rename, dependent members keep their dependency. */
export function changeMember(team: Team, at: number, change: Partial<Member>): Team {
  const before = nameAt(team, at)
  const { name = before } = change
  return {
    ...team,
    agents: team.agents.map((member, place) => {
      const after = member.after.map((one) => (one === before ? name : one))
      return { ...member, after, ...(place === at ? change : {}) }
    }),
  }
}

/** Adds or removes a tool. A fixed call is removed with its tool. */
export function setTool(team: Team, at: number, tool: string, isGiven: boolean): Team {
  const member = team.agents[at]
  if (member === undefined) return team
  const { call, ...rest } = member
  const tools = member.tools.filter((one) => one !== tool)
  const changedOne = { ...rest, ...(call === undefined || call.tool === tool ? {} : { call }) }
  const all = isGiven ? { ...member, tools: [...tools, tool] } : { ...changedOne, tools }
  return { ...team, agents: team.agents.toSpliced(at, 1, all) }
}

/** Removes a member. Members that waited for it wait for its dependencies instead. */
export function removeMember(team: Team, at: number): Team {
  const draft = removeTask(plan(team), nameAt(team, at))
  return planned({ ...team, agents: team.agents.toSpliced(at, 1) }, draft)
}

export function addMember(team: Team): Team {
  const names = new Set(team.agents.map(({ name }) => name))
  let n = team.agents.length + 1
  while (names.has(`member-${n}`)) n++
  const member: Member = { name: `member-${n}`, purpose: '', tools: [], task: '', after: [] }
  return { ...team, agents: [...team.agents, member] }
}
