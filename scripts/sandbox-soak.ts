// Runs many sandbox jobs and says what is left over: processes, files, memory, descriptors.
//
//   npx tsx scripts/sandbox-soak.ts [jobs, 10000 when absent] [pyodide or cpython]
import { readdirSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { systemClock } from '../src/shared/clock.ts'
import { createSandbox } from '../src/sandbox/sandbox.ts'

const jobs = Number(process.argv[2] ?? 10_000)
const backend = process.argv[3] === 'cpython' ? 'cpython' : 'pyodide'
/** No other sandbox on this machine has this much, so its processes are known by it. */
const MEMORY_MB = 509
const kinds: readonly (readonly [code: string, timeoutMs: number])[] = [
  ['sum(range(1000))', 10_000],
  [`import statistics\nstatistics.mean(data['n'])`, 10_000],
  ['1 / 0', 10_000],
  [`open('x.txt', 'w').write('x' * 100_000)`, 10_000],
  [`print('x' * 1_000_000)`, 10_000],
  ['import subprocess', 10_000],
  ['x = bytearray(10 ** 9)', 10_000],
  [`import dataclasses\ndataclasses.sys.modules['os'].abort()`, 10_000],
  ['while True: pass', 100],
]

const sandbox = createSandbox({ backend, memoryMb: MEMORY_MB }, { clock: systemClock })
await sandbox.run({ code: '1' })
const before = measure()
const outcomes = new Map<string, number>()
const startedAt = Date.now()
let next = 0
await Promise.all([worker(), worker()])
const seconds = (Date.now() - startedAt) / 1000
await sandbox.close()
globalThis.gc?.()
const after = measure()

console.log(`${jobs} jobs in ${seconds.toFixed(0)} s, ${((seconds / jobs) * 1000).toFixed(0)} ms a job`)
console.log(Object.fromEntries(outcomes))
console.log('before', before)
console.log('after ', after)
if (after.children > 0 || after.files > before.files) {
  console.error('Something was left over.')
  process.exitCode = 1
}

async function worker(): Promise<void> {
  while (next < jobs) {
    const number = next++
    const [code, timeoutMs] = kinds[number % kinds.length]!
    const outcome = await sandbox.run({ code, data: { n: [1, 2, 3] }, timeoutMs }).then(
      ({ ok }) => (ok ? 'ok' : 'error'),
      (error: Error) => error.name,
    )
    outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1)
    if (number % 500 === 499) console.log(number + 1, measure())
  }
}

function measure(): { children: number; files: number; descriptors: number; residentMb: number } {
  return {
    children: childCount(),
    files: readdirSync(tmpdir()).filter((name) => name.startsWith('tutti-python-')).length,
    descriptors: process.platform === 'linux' ? readdirSync('/proc/self/fd').length : 0,
    residentMb: Math.round(process.memoryUsage.rss() / 1e6),
  }
}

/** Processes that run the sandbox, zombies among them; of CPython also those inside of bubblewrap. */
function childCount(): number {
  if (process.platform !== 'linux') return 0
  return readdirSync('/proc').filter((name) => /^\d+$/.test(name) && isOurs(name)).length
}

function isOurs(pid: string): boolean {
  try {
    const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8')
    if (command.includes(`"memoryMb":${MEMORY_MB},`)) return true
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const [state, parent] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    if (parent !== String(process.pid)) return false
    return state === 'Z' || command.includes('pyodide')
  } catch {
    return false
  }
}
