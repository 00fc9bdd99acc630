import type { Cli } from './cli.ts'
import { EXIT } from './exit-codes.ts'

export interface Interrupts {
  /** A Ctrl-C that did not come as a signal, such as one at a prompt. */
  press(): void
  /** There is nothing left to cancel: from now on the first Ctrl-C ends the process. */
  runIsOver(): void
  /** From now on another component handles Ctrl-C. */
  leave(): void
}

/** The first Ctrl-C calls `cancel`; the second ends the process at once. */
export function cancelOnInterrupt(cli: Cli, cancel: () => void): Interrupts {
  let canCancel = true
  const press = (): void => {
    if (!canCancel) cli.kill(EXIT.killed)
    canCancel = false
    cancel()
    cli.err.line('Cancelling. Press Ctrl-C again to stop at once.')
  }
  const leave = cli.onInterrupt(press)
  return {
    press,
    runIsOver() {
      canCancel = false
    },
    leave,
  }
}
