import { readdir, readFile } from 'node:fs/promises'
import { processorMs } from '../src/processes/processor-time.ts'
import { longestBlock } from './measure.ts'
import { quantile } from './retrieval-measures.ts'

/** What the processes that this one has started use; on Linux alone, elsewhere zeros. */
export async function childrenUse(): Promise<{ readonly cpuMs: number; readonly peakMb: readonly number[] }> {
  const children = await childrenPids()
  const use = await Promise.all(
    children.map(async (pid) => {
      const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '')
      const cpuMs = processorMs(pid) ?? 0
      return { cpuMs, peakMb: Math.round(Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1_024) }
    }),
  )
  return {
    cpuMs: use.reduce((total, { cpuMs }) => total + cpuMs, 0),
    peakMb: use.map(({ peakMb }) => peakMb),
  }
}

async function childrenPids(): Promise<string[]> {
  const threads = await readdir('/proc/self/task').catch(() => [])
  const lists = await Promise.all(
    threads.map((thread) => readFile(`/proc/self/task/${thread}/children`, 'utf8').catch(() => '')),
  )
  return lists.flatMap((list) => list.split(' ')).filter((pid) => pid !== '')
}

/**
 * How long the event loop of this process is held up at the longest while a call is waited for, and the processor time
 * that this process takes for the call: it cannot hold up its loop for longer than that, other programs of the machine can.
 */
export class LoopDelay {
  readonly #longest: number[] = []
  readonly #own: number[] = []

  async during<T>(work: () => Promise<T>): Promise<T> {
    const { value, blockedMs } = await longestBlock(async () => {
      const before = process.cpuUsage()
      try {
        return await work()
      } finally {
        const { user, system } = process.cpuUsage(before)
        this.#own.push((user + system) / 1e3)
      }
    })
    this.#longest.push(blockedMs)
    return value
  }

  toString(): string {
    const at = (values: readonly number[], share: number): string => quantile(values, share).toFixed(1)
    const figures = (values: readonly number[]): string =>
      `${at(values, 0.5)} ms in the median call, ${at(values, 0.99)} ms in 99 %, ${at(values, 1)} ms at most`
    return `${figures(this.#longest)}; own processor time ${figures(this.#own)}`
  }
}
