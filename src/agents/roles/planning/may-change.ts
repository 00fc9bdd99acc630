import { asksToAct, changeIn, requestOf } from '../../../language/clause-starts.ts'
import { toolsNamed } from '../../tool-names.ts'
import type { Part } from './assign.ts'
import { ownersNamed } from './named.ts'
import type { Team } from './choose.ts'

/** “Get order 915 cancelled”, “open a ticket”: the verb of reading asks for a deed. */
const CAUSED =
  /^open (?:an?|another|new)\b|^(?:get|have)\b(?: rid of\b|.*\b(?:\p{L}+ed|\p{L}+en|sent|paid|put|set)(?: first)?\W*$)/isu

/**
 * Whether what is there after a part of a question may be another than before: its agent has tools that change something, and
 * it asks for more than to be told. Of a tool that it names, what is known of that counts.
 */
export function mayChange({ agent, kind, text }: Part, team: Team): boolean {
  if (kind === 'act') return true
  const changing = (agent.tools ?? []).filter(({ effect }) => effect !== 'read').map(({ name }) => name)
  if (changing.length === 0) return false
  if (ownersNamed(text, team) !== undefined) return toolsNamed(text, changing).length > 0
  const request = requestOf(text)
  return asksToAct(text) || changeIn(text) !== undefined || CAUSED.test(request)
}
