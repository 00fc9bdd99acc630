// Soak test: starts a sandbox for each attack.
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { shared, times } from '../../test/support/length.ts'
import { childProcesses, kilobytes } from '../../test/support/child-processes.ts'
import { systemClock } from '../shared/clock.ts'
import type { Attack } from '../../test/fixtures/sandbox/attacks.ts'
import { GROWTH } from '../../test/fixtures/sandbox/growth.ts'
import { CONVERSIONS, NOTHING, REVIVALS } from '../../test/fixtures/sandbox/revival.ts'
import { temporaryFolder } from '../../test/support/temporary-folder.ts'
import { createSandbox, type SandboxResult } from './sandbox.ts'

const isStrong = process.platform === 'linux' && (process.arch === 'x64' || process.arch === 'arm64')
/** Of the sandbox of this file and no other, so that its processes are known by it. */
const MEMORY_MB = 503
const MAX_MB = 1.3 * MEMORY_MB

const folder = temporaryFolder()
const sandbox = createSandbox(
  { cacheDir: folder, memoryMb: MEMORY_MB, allowWeakIsolation: true },
  { clock: systemClock },
)

beforeAll(() => sandbox.warm())
afterAll(() => sandbox.close())

const processes = () => childProcesses(`"memoryMb":${MEMORY_MB},`)

/** Notes the most memory that any of them ever had, in megabytes, until it is stopped. */
function watchPeak(): () => number {
  let peak = 0
  const look = (): void => {
    for (const found of processes()) peak = Math.max(peak, kilobytes(found, 'VmHWM') / 1024)
  }
  const timer = setInterval(look, 20)
  return () => {
    look()
    clearInterval(timer)
    return peak
  }
}

/** Runs the attack out of the policy's sight; gives how it ended. */
const UNSEEN = `
import dataclasses
run = getattr(dataclasses.sys.modules['builtins'], 'ex' + 'ec')
outcome = 'ran'
try:
    run(data, {'__name__': 'attack'})
except BaseException as error:
    outcome = type(error).__name__ + ': ' + str(error)[:500]
outcome`

/** Allocates memory until none is available. */
const FILL_MEMORY = `
blocks = []
try:
    while True:
        blocks.append(b'x' * (4 << 20))
except MemoryError:
    enough = len(blocks) > 0
    blocks = None
enough`

async function attempt({ code }: Attack, timeoutMs = 8_000): Promise<string> {
  const end = await sandbox.run({ code: UNSEEN, data: code, timeoutMs }).catch(String)
  return typeof end === 'string' ? end : String((end as SandboxResult).value)
}

describe('parts that were removed from the interpreter', () => {
  it.each(shared(REVIVALS))('are not restored by $name', async (attack) => {
    const end = await attempt(attack, 50_000)
    // A search must have come to its end.
    const isSearch = attack.code.endsWith(NOTHING)
    expect(end).toMatch(isSearch ? /^AssertionError: nothing$/ : /^\w+(?:Error|Exception|Exit)?: /)
  })

  it.each(shared(CONVERSIONS))('end the job that creates a JavaScript object by $name', async (attack) => {
    expect(await attempt(attack, 50_000)).toMatch(/it broke the interpreter/)
  })

  it('are removed from the list of builtins', async () => {
    const { value } = await sandbox.run({
      code: `import sys\n[n for n in sys.builtin_module_names if n.startswith(('_pyodide', '_ctypes', '_socket', '_posix', '_test', '_remote')) or n in ('fcntl', 'mmap', 'select', 'termios')]`,
    })
    expect(value).toEqual([])
  })
})

describe.skipIf(!isStrong)('memory of the whole process (the kernel holds it on Linux)', () => {
  it.each(shared(GROWTH))('is bounded for $name', async (attack) => {
    const stop = watchPeak()
    const end = await attempt(attack)
    expect(stop()).toBeLessThan(MAX_MB)
    // Some take so long to fill the memory that their time is over first.
    expect(end).not.toBe('ran')
    expect(end).not.toMatch(/ended unexpectedly/)
  })

  it('matches the description, and leaves room for large data', async () => {
    expect(sandbox.describe().memoryMb).toBe(MEMORY_MB)
    const stop = watchPeak()
    expect((await sandbox.run({ code: FILL_MEMORY })).value).toBe(true)
    const peakMb = stop()
    expect(peakMb).toBeGreaterThan(MEMORY_MB * 0.6)
    expect(peakMb).toBeLessThan(MAX_MB)
    const rows = Array.from({ length: 100_000 }, (_, id) => ({ id, text: 'x'.repeat(135) }))
    expect(JSON.stringify(rows).length).toBeGreaterThan(15_500_000)
    expect((await sandbox.run({ code: 'sum(row["id"] for row in data)', data: rows })).value).toBe(4_999_950_000)
  })

  it('that is too small to start reports the required amount', async () => {
    const small = createSandbox({ cacheDir: folder, memoryMb: 100 }, { clock: systemClock })
    await expect(small.run({ code: '1' })).rejects.toMatchObject({
      code: 'ConfigurationError',
      message: expect.stringMatching(/Python alone takes \d+ MB, so 100 MB are too few; set sandbox\.memoryMb to \d+/),
    })
    await small.close()
  })
})

describe.skipIf(!isStrong)('a process that ends on its own (found in /proc of Linux)', () => {
  const isThere = (pid: number): boolean => processes().some((found) => found.pid === pid)

  it('before it got the job is replaced, also before its exit is known', async () => {
    for (let round = times(5, 3); round > 0; round--) {
      await sandbox.warm()
      const [waiting] = processes()
      const { pid } = waiting!
      // Nothing is awaited in between, so the sandbox cannot have heard of it.
      process.kill(pid, 'SIGKILL')
      expect((await sandbox.run({ code: '6 * 7' })).value).toBe(42)
      expect(isThere(pid)).toBe(false)
    }
  })

  it.each(['SIGABRT', 'SIGSEGV', 'SIGKILL'] as const)(
    'during a job, by %s, is not attributed to the code',
    async (signal) => {
      await sandbox.warm()
      // The one of the test before may be some time in dying.
      await vi.waitFor(() => expect(processes()).toHaveLength(1), { timeout: 60_000 })
      const before = processes()[0]!
      const running = sandbox
        .run({ code: `kept = b'x' * (100 << 20)\nwhile True: pass`, timeoutMs: 50_000 })
        .catch((error: unknown) => error)
      // It is at work for sure once it has taken so much more.
      const isAtWork = (): boolean =>
        processes().some(
          (now) => now.pid === before.pid && kilobytes(now, 'VmRSS') > kilobytes(before, 'VmRSS') + 50_000,
        )
      while (!isAtWork()) await new Promise((resolve) => setTimeout(resolve, 5))
      process.kill(before.pid, signal)
      const error = await running
      expect(error).toMatchObject({ code: 'ToolError', details: { signal } })
      expect(String(error)).toMatch(`ended unexpectedly (signal ${signal}) and returned no result; the code`)
      expect(String(error)).toContain('tutti doctor')
      expect(String(error)).not.toMatch(/code was stopped|violation/i)
    },
  )
})
