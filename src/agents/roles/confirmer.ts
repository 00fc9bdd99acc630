import { defineRole, type Role } from '../../core/actor.ts'
import { TuttiError } from '../../core/errors.ts'
import type { Outcome } from '../../core/result.ts'
import { confirmerType } from '../../strategies/confirming.ts'

/** Its words hold for whatever plan there is when they are answered: people may change it meanwhile. */
const ASKED = 'The plan is ready. Look at it, change it where you like, and answer “start” to have it done.'

/** A plan is read and worked on at leisure: what was made of it is not lost to a time for decisions. */
const LEAST_MS = 24 * 3_600_000

/** Asks the person whether to begin with the plan. Any other word than a yes leaves it undone. */
export const confirmerRole: Role = defineRole({
  ...confirmerType,
  async run(ctx): Promise<Outcome> {
    const said = await ctx.question(ASKED, LEAST_MS)
    if (/^\W*(?:start|yes|ok|ja|los)\W*$/i.test(said)) return { answer: 'The plan is to be done.' }
    throw new TuttiError('ApprovalDenied', `You answered “${said}” instead of “start”.`)
  },
})
