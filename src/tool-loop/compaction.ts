import type { ActorContext } from '../domain/actor.ts'
import { textOfMessage, userMessage } from '../domain/turn.ts'

/** Fill levels of the context window at which results are removed, and at which turns are summarized. */
const CLEAR_AT = 0.7
const SUMMARISE_AT = 0.85
/** Number of latest turns whose results are always kept. */
const KEPT_TURNS = 2
/** Characters per token, a low estimate for text and JSON. */
const CHARS_PER_TOKEN = 3.5

const SUMMARY_FORM = `The conversation is too long to go on. Write a summary of it that takes its place, in this form:
1. What the user wants, in the user's own words.
2. Decisions so far.
3. Facts that were found, with their source ids and the handles of results.
4. What is still open.
5. Approvals and denials of the user.`

/** Makes room in the context window: first results of earlier turns go, then the turns are replaced by a summary. */
export async function compactIfNeeded(ctx: ActorContext): Promise<void> {
  const { transcript } = ctx
  const window = await transcript.contextWindow()
  const { turns, compacted } = transcript.state
  const last = turns.at(-1)
  if (last?.purpose === 'summary') {
    return transcript.compact({ clearedUpTo: turns.length, summary: textOfMessage(last.message) })
  }
  const clearedUpTo = turns.length - KEPT_TURNS
  if (used(ctx) > CLEAR_AT * window && clearedUpTo > (compacted?.clearedUpTo ?? 0)) {
    transcript.compact({ clearedUpTo, ...(compacted?.summary === undefined ? {} : { summary: compacted.summary }) })
  }
  if (used(ctx) <= SUMMARISE_AT * window || turns.length === 0) return
  const sent = [userMessage(SUMMARY_FORM)]
  const { message } = await transcript.turn({ toolChoice: 'none', purpose: 'summary', sent })
  transcript.compact({ clearedUpTo: transcript.state.turns.length, summary: textOfMessage(message) })
}

/** Tokens of the next prompt, about. */
function used({ transcript: { state, messages } }: ActorContext): number {
  return JSON.stringify([state.head, messages]).length / CHARS_PER_TOKEN
}
