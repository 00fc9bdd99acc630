import { systemClock } from '../../src/shared/clock.ts'
import { openStorage } from '../../src/storage/index.ts'
import { note, started } from './storage.ts'

/** A process of its own for tests that kill it, bundled: `node storage-child.mjs <what> <settings as JSON>`. */
const [what = '', settings = '{}'] = process.argv.slice(2)
const { store, close } = await openStorage({
  ...(JSON.parse(settings) as object),
  clock: systemClock,
  onError: (error) => console.error(error.message),
})

if (what === 'open') {
  await close()
} else if (what === 'append') {
  // Prints what has been acknowledged, three events at a time, until it is killed.
  await store.append([{ runId: 'a', afterSeq: 0, events: [started()] }])
  for (let seq = 1; ; seq += 3) {
    const events = [note('x'.repeat(2_000)), note('y'), note('z')]
    await store.append([{ runId: 'a', afterSeq: seq, events }], { durable: seq % 2 === 0 })
    process.stdout.write(`${seq + 3}\n`)
  }
} else throw new Error(`Unknown: ${what}`)
