import type { Agent } from '../../../core/actor.ts'
import type { Clause } from '../../../language/clauses.ts'
import { wordsOf } from '../../../language/tokens.ts'
import { plainName, toolsNamed, type NamedTool } from '../../tool-names.ts'
import type { Team } from './choose.ts'

/** Before the name of a server, which may be an everyday word. */
const PLACE = /\b(?:of|on|at|from|in|with|by|using|via|server)(?: the)?(?: mcp)?(?: server)?$/

/** Who has the tool that a text names, whatever else it says. */
export interface Owners {
  readonly agents: readonly Agent[]
  /** Several tools of the name: which is meant, nobody knows. */
  readonly rivals?: readonly string[]
}

/**
 * The agents whose tool a text names exactly, of those that have been asked as well; undefined where it names none. Of tools of
 * one name the server that the text names, or whom the caller prefers, decides.
 */
export function ownersNamed(text: string, team: Team): Owners | undefined {
  const named = namedIn(text, team)
  if (named.length === 0) return undefined
  const { agents, known = agents, preferred } = team
  const said = ` ${wordsOf(text).join(' ')} `
  const isSaid = (name: string, isPlace = false): boolean => {
    const at = said.indexOf(` ${wordsOf(name).join(' ')} `)
    return at >= 0 && (!isPlace || PLACE.test(said.slice(0, at)) || said.slice(at).includes(' server '))
  }
  const first = plainName(named[0]!.name)
  const all = new Set(named.flatMap(({ name }) => (plainName(name) === first ? [name] : [])))
  const has = (name: string) => (agent: Agent) => toolsOf(agent).includes(name)
  const meant = [...all].filter((name) => {
    const wanted = known.some((agent) => has(name)(agent) && (preferred.includes(agent.name) || isSaid(agent.name)))
    return wanted || isSaid(serverOf(name), true)
  })
  const names = meant.length > 0 ? meant : [...all]
  const owners = known.filter((agent) => names.some((name) => has(name)(agent)))
  // One says that it is not clear; whoever is asked next would guess.
  return names.length > 1 ? { agents: owners.slice(0, 1), rivals: names } : { agents: owners }
}

function serverOf(name: string): string {
  return name.slice('mcp:'.length, -plainName(name).length - 1)
}

function namedIn(text: string, { agents, known = agents }: Team): NamedTool[] {
  return toolsNamed(text, [...new Set(known.flatMap(toolsOf))]).sort((a, b) => a.start - b.start)
}

function toolsOf({ tools = [] }: Agent): string[] {
  return tools.map(({ name }) => name)
}

const NEXT_CALL =
  /(?:\s*[,;]\s*(?:and\s+)?|\s+and\s+)(?:(?<then>then)\s+)?(?=(?:(?:call|use|run|invoke|execute)\s+)?(?:the\s+)?(?:tool\s+)?$)/i

/** “Call get-sum a=2 b=40 and call echo message=hi”: a clause for each call. */
export function perCall(clause: Clause, team: Team): Clause[] {
  const [first, ...others] = namedIn(clause.text, team)
  for (const { start } of others.filter((other) => other.start > first!.end)) {
    const joint = NEXT_CALL.exec(clause.text.slice(0, start))
    if (joint === null || joint.index < first!.end) continue
    const from = joint.index + joint[0].length
    const left = { ...clause, text: clause.text.slice(0, joint.index), end: clause.start + joint.index }
    const link = joint.groups!['then'] === undefined ? 'and' : 'then'
    const rest = { text: clause.text.slice(from), link, start: clause.start + from, end: clause.end } as const
    return [left, ...perCall(rest, team)]
  }
  return [clause]
}
