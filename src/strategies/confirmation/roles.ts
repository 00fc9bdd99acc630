import { defineRole, type Role } from '../../domain/actor.ts'
import { TuttiError } from '../../domain/errors.ts'
import { truncate } from '../../shared/json.ts'
import type { Outcome } from '../../domain/result.ts'
import { confirmerType } from './next.ts'

/** The text does not quote the plan, because users may change the plan before they answer. */
const ASKED = 'The plan is ready. Look at it, change it where you like, and answer “start” to have it done.'

/** Users may take their time to review a plan: its approval waits at least this long, in milliseconds. */
const MIN_WAIT_MS = 24 * 3_600_000

/** The replies that decide, without case, quotes and final punctuation. Any other reply is asked about again. */
const START = new Set(['start', 'yes', 'ok', 'starten', 'ja'])
const DISCARD = new Set(['no', 'stop', 'cancel', 'nein', 'abbrechen'])

/** Asks the user whether to start the plan, and again while the reply is none of the words that decide. */
export const confirmerRole: Role = defineRole({
  ...confirmerType,
  async run(ctx): Promise<Outcome> {
    // A question in the same words has its answer already.
    const unclear: string[] = []
    for (;;) {
      const asked = unclear.length === 0 ? ASKED : stillAsked(unclear)
      const userReply = await ctx.question(asked, { leastMs: MIN_WAIT_MS })
      const word = userReply.replaceAll(/^[\s"'“„]+|[\s"'”“.!]+$/g, '').toLowerCase()
      if (START.has(word)) return { answer: 'The plan is to be done.' }
      if (DISCARD.has(word)) throw new TuttiError('ApprovalDenied', `You answered “${userReply}” instead of “start”.`)
      unclear.push(`“${truncate(userReply, 200)}”`)
    }
  },
})

function stillAsked(unclear: readonly string[]): string {
  return (
    `The plan still waits, and nothing of it was done: ${unclear.join(', then ')} does not say whether to start it. ` +
    'Answer “start” to have it done as it stands, or “no” to leave it. To have it otherwise, change the plan first.'
  )
}
