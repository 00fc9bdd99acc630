import type { Team } from '../../domain/team.ts'

/** The team as a diagram in Mermaid, line by line. */
export function diagramOf({ name, strategy, agents, checks }: Team): readonly string[] {
  const awaited = new Set(agents.flatMap(({ after }) => after))
  const place = (member: string): string => `m${agents.findIndex((agent) => agent.name === member) + 1}`
  const steps = agents.flatMap((agent, at) => {
    const tools = agent.tools.length === 0 ? 'works on what was found' : agent.tools.join(', ')
    const own = `m${at + 1}["${escapeText(agent.name)}: ${escapeText(agent.purpose)}<br/>${escapeText(tools)}"]`
    const before = agent.after.length === 0 ? [`  start --> ${own}`] : [`  ${own}`]
    return [...before, ...agent.after.map((one) => `  ${place(one)} --> m${at + 1}`)]
  })
  const ends = agents.filter((agent) => !awaited.has(agent.name)).map((agent) => `  ${place(agent.name)} --> done`)
  return [
    'flowchart TD',
    `  start(["${escapeText(name)}: ${strategy}"])`,
    ...steps,
    `  done(["answer, ${checks.length} ${checks.length === 1 ? 'check' : 'checks'}"])`,
    ...ends,
  ]
}

/** Escapes names and purposes, so that they cannot be read as diagram syntax. */
function escapeText(text: string): string {
  return text.replaceAll(/\s+/g, ' ').replaceAll(/[^\p{L}\p{N} .,:;!?/_@-]/gu, (sign) => `#${sign.codePointAt(0)};`)
}
