import { systemClock } from '../../core/clock.ts'
import { readDocument } from './read-document.ts'

/**
 * Reads one line of 5 MB several times and prints how many milliseconds of processor time one turn of the event loop took
 * at most, in the round in which it was least: the first loads modules, and what a machine does besides may fall into any.
 * Time of the clock would tell how busy the machine is.
 */
const bytes = Buffer.from('the quick brown fox jumps over the lazy dog '.repeat(115_000))
let least = Infinity
for (let round = 0; round < 4; round++) {
  let longest = 0
  let last = process.cpuUsage()
  const timer = setInterval(() => {
    const { user, system } = process.cpuUsage(last)
    last = process.cpuUsage()
    longest = Math.max(longest, (user + system) / 1000)
  }, 1)
  await readDocument({ name: 'line.txt', bytes }, { clock: systemClock })
  clearInterval(timer)
  least = Math.min(least, longest)
}
process.stdout.write(String(least))
