import type { Cli } from './cli.ts'
import { EXIT } from './exit-codes.ts'

export interface Interrupts {
  /** A Ctrl-C that did not come as a signal, such as one at a prompt. */
  press(): void
  /** Gives Ctrl-C its usual meaning back. */
  restore(): void
}

/** The first Ctrl-C calls `cancel`; the second ends the process at once. */
export function cancelOnInterrupt(cli: Cli, cancel: () => void): Interrupts {
  let pressed = 0
  const press = (): void => {
    pressed++
    if (pressed > 1) cli.kill(EXIT.killed)
    cancel()
    cli.err.line('Cancelling. Press Ctrl-C again to stop at once.')
  }
  return { press, restore: cli.onInterrupt(press) }
}
