import fc from 'fast-check'
import { expect, it } from 'vitest'
import { FairSemaphore } from './fair-semaphore.ts'

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

/** Calls `then` when the owner has a slot, with the function that releases it. */
async function enter(gate: FairSemaphore, owner: string, then: (end: () => void) => void): Promise<void> {
  then(await gate.enter(owner))
}

it('keeps the limit, leaves no slot free while an owner waits, and starves no owner', async () => {
  const places = fc.integer({ min: 1, max: 4 })
  const step = fc.oneof(fc.constantFrom('a', 'b', 'c', 'd'), fc.nat(9))
  await fc.assert(
    fc.asyncProperty(places, places, fc.array(step, { maxLength: 40 }), async (limit, mostOfOne, steps) => {
      const gate = new FairSemaphore(limit, mostOfOne)
      const inside: { owner: string; end: () => void }[] = []
      const waiting: string[] = []
      for (const one of steps) {
        const before = [...waiting]
        const count = (owner: string): number => inside.filter((other) => other.owner === owner).length
        if (typeof one === 'string') {
          waiting.push(one)
          void enter(gate, one, (end) => {
            waiting.splice(waiting.indexOf(one), 1)
            inside.push({ owner: one, end })
          })
        } else inside.splice(one % (inside.length || 1), 1)[0]?.end()
        const fewest = Math.min(...before.map(count))
        const counts = new Map(before.map((owner) => [owner, count(owner)]))
        await settled()
        expect(inside.length).toBeLessThanOrEqual(limit)
        expect(waiting.every((owner) => inside.length === limit || count(owner) === mostOfOne)).toBe(true)
        expect(inside.every(({ owner }) => count(owner) <= mostOfOne)).toBe(true)
        const hasEntered = typeof one === 'number' && waiting.length < before.length
        expect(hasEntered ? counts.get(inside.at(-1)!.owner) : fewest).toBe(fewest)
      }
      gate.open()
      await settled()
      expect(waiting).toEqual([])
    }),
    { numRuns: 200 },
  )
})
