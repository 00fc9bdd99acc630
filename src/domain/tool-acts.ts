/** What tools of Tutti do, in words for people, who know only the names of tools that were added. */
const ACTS: ReadonlyMap<string, string> = new Map([
  ['send_email', 'sending this mail'],
  ['reply_to_message', 'sending this reply'],
  ['draft_email', 'saving this draft'],
  ['run_python', 'running this program'],
  ['execute_code', 'running this program'],
  ['send_to_api', 'sending this request'],
  ['save_team', 'taking on this team'],
])

/** What a call of the tool does; other tools are called by their names. */
export function actOf(tool: string): string {
  return ACTS.get(tool) ?? `the call of "${tool}"`
}

/** The same at the beginning of a sentence. */
export function sentenceActOf(tool: string): string {
  const act = actOf(tool)
  return act[0]!.toUpperCase() + act.slice(1)
}
