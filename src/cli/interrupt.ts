import type { Cli } from './cli.ts'
import { EXIT } from './exit-codes.ts'

/** The first Ctrl-C calls `cancel`; the second ends the process at once. */
export function cancelOnInterrupt(cli: Cli, cancel: () => void) {
  let canCancel = true
  const press = (): void => {
    if (!canCancel) cli.kill(EXIT.killed)
    canCancel = false
    cancel()
    cli.err.line('Cancelling. Press Ctrl-C again to stop at once.')
  }
  return {
    /** A Ctrl-C that did not come as a signal, such as one at a prompt. */
    press,
    /** There is nothing left to cancel: from now on the first Ctrl-C ends the process. */
    runIsOver: () => void (canCancel = false),
    /** From now on another component handles Ctrl-C. */
    leave: cli.onInterrupt(press),
  }
}
