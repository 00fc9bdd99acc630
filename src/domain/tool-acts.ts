/** Descriptions of the calls of built-in tools, whose names users do not know. */
const ACTS: ReadonlyMap<string, string> = new Map([
  ['send_email', 'sending this mail'],
  ['reply_to_message', 'sending this reply'],
  ['draft_email', 'saving this draft'],
  ['run_python', 'running this program'],
  ['execute_code', 'running this program'],
  ['send_to_api', 'sending this request'],
  ['save_team', 'taking on this team'],
])

/** Describes a call of a tool; tools that are not built in are called by their names. */
export function actOf(tool: string): string {
  return ACTS.get(tool) ?? `the call of "${tool}"`
}

/** The same at the start of a sentence. */
export function sentenceActOf(tool: string): string {
  const act = actOf(tool)
  return act[0]!.toUpperCase() + act.slice(1)
}
