import type { ChildProcess } from 'node:child_process'

const MAX_STDERR_CHARS = 20_000

/** A child process: its last output, its exit status, and a way to end it. */
export class ManagedProcess {
  readonly process: ChildProcess
  /** Resolves when it has exited, or could not be started. */
  readonly exited: Promise<void>
  /** Resolves when, in addition, all output was read. */
  readonly closed: Promise<void>
  readonly #killNow: () => void
  #isGone = false
  #stderr = ''
  #error: Error | undefined

  /** @param killNow replaces the signal as the way to kill it */
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
      this.#stderr = (this.#stderr + piece.toString()).slice(-MAX_STDERR_CHARS)
    })
    // A write to a dead process is reported by its exit instead.
    process.stdin?.on('error', () => undefined)
  }

  get isGone(): boolean {
    return this.#isGone
  }

  /** Its last output on stderr. */
  get stderr(): string {
    return this.#stderr
  }

  /** Why it could not be started or used. */
  get error(): Error | undefined {
    return this.#error
  }

  /** How it ended, worded for a sentence. */
  get how(): string {
    const { signalCode, exitCode } = this.process
    return this.#error?.message ?? signalCode ?? `exit code ${exitCode}`
  }

  /** Whether it keeps this program alive. */
  setRef(isNeeded: boolean): void {
    const { process } = this
    const method = isNeeded ? 'ref' : 'unref'
    process[method]()
    // Pipes are sockets, which the types do not tell.
    for (const each of [process.channel, ...(process.stdio ?? [])]) (each as Partial<Refable> | null)?.[method]?.()
  }

  /** Kills it, and waits until it has exited. */
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
