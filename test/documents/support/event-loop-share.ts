import { systemClock } from '../../../src/shared/clock.ts'
import { readDocument } from '../../../src/documents/parsing/read-document.ts'

/**
 * Reads one line of 5 MB several times and prints which share of this process's processor time one turn of the event loop
 * took at most, in the round in which it was least: the first loads modules, and what a machine does besides may fall into
 * any. Time of the clock would tell how busy the machine is.
 */
const bytes = Buffer.from('the quick brown fox jumps over the lazy dog '.repeat(115_000))
let least = 1
for (let round = 0; round < 3; round++) {
  const begun = process.cpuUsage()
  let last = begun
  let longest = 0
  const timer = setInterval(() => {
    longest = Math.max(longest, since(last))
    last = process.cpuUsage()
  }, 1)
  await readDocument({ name: 'line.txt', bytes }, { clock: systemClock })
  clearInterval(timer)
  least = Math.min(least, longest / since(begun))
}
process.stdout.write(String(least))

/** In microseconds. */
function since(then: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(then)
  return user + system
}
