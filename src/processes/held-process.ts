import type { ChildProcess } from 'node:child_process'

const STDERR_KEPT = 20_000

/** A process that this one has started: what it said last, how it ended, and its end when that is wanted. */
export class HeldProcess {
  readonly process: ChildProcess
  /** When it has ended, or cannot be started. */
  readonly exited: Promise<void>
  /** When all that it said has been taken, too. */
  readonly closed: Promise<void>
  readonly #killNow: () => void
  #isGone = false
  #stderr = ''
  #error: Error | undefined

  /** @param killNow how it is ended, when not by the signal alone */
  constructor(process: ChildProcess, killNow: () => void = () => void process.kill('SIGKILL')) {
    this.process = process
    this.#killNow = killNow
    const ends = (event: 'exit' | 'close'): Promise<void> =>
      new Promise((resolve) => {
        process.once(event, () => resolve())
        process.on('error', () => process.pid === undefined && resolve())
      })
    process.on('error', (error) => {
      this.#error ??= error
      if (process.pid === undefined) this.#isGone = true
    })
    process.once('exit', () => (this.#isGone = true))
    this.exited = ends('exit')
    this.closed = ends('close')
    process.stderr?.on('data', (piece: Buffer) => {
      this.#stderr = (this.#stderr + piece.toString()).slice(-STDERR_KEPT)
    })
    // Writing to a process that has died is found out by its end.
    process.stdin?.on('error', () => undefined)
  }

  get isGone(): boolean {
    return this.#isGone
  }

  /** The last of what it wrote there. */
  get stderr(): string {
    return this.#stderr
  }

  /** Why it could not be started or used. */
  get error(): Error | undefined {
    return this.#error
  }

  /** How it ended, for a sentence. */
  get how(): string {
    const { signalCode, exitCode } = this.process
    return this.#error?.message ?? signalCode ?? `exit code ${exitCode}`
  }

  /** Whether it keeps this program alive. */
  setRef(isNeeded: boolean): void {
    const { process } = this
    const method = isNeeded ? 'ref' : 'unref'
    process[method]()
    // Pipes are sockets, which the types leave open.
    for (const each of [process.channel, ...(process.stdio ?? [])]) (each as Partial<Refable> | null)?.[method]?.()
  }

  /** Ends it at once, and waits until it is gone. */
  async kill(): Promise<void> {
    this.setRef(true)
    if (!this.#isGone) this.#killNow()
    await this.exited
    for (const stream of this.process.stdio ?? []) stream?.destroy()
  }
}

interface Refable {
  ref(): void
  unref(): void
}
