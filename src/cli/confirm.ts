import { TuttiError } from '../domain/errors.ts'
import type { Cli } from './cli.ts'
import { canAsk, promptUser } from './prompt.ts'

export interface Confirmation {
  /** What would be done, as a question without its mark: `Delete run 1a2b3c4d`. */
  readonly what: string
  /** Whether `--yes` was given. */
  readonly yes: boolean | undefined
  /** `false` if the action can be undone. */
  readonly isFinal?: boolean
}

/**
 * Asks before something is deleted, overwritten or trusted; `--yes` answers in advance.
 * @throws TuttiError `InvalidRequest` if there is no terminal to ask at
 */
export async function askConfirmation(cli: Cli, { what, yes = false, isFinal = true }: Confirmation): Promise<boolean> {
  if (yes) return true
  const message = isFinal ? `${what}? This cannot be undone.` : `${what}?`
  if (!canAsk(cli)) throw new TuttiError('InvalidRequest', `${message} Add --yes to do it.`)
  const isYes = await promptUser(cli, ({ confirm }, io) => confirm({ ...io, message, initialValue: false }))
  if (isYes !== true) cli.err.line('Nothing was changed.')
  return isYes === true
}
