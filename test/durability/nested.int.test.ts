import fc from 'fast-check'
import { expect, it } from 'vitest'
import { describeKills } from './kill-scene.ts'
import { killAndGoOn } from './kills.ts'
import { EXPECTED_ANSWER, familyOf, levelIn, MODEL_RULES, NESTED_RULES, PROMPTS } from './office.ts'
import type { Death } from './victim.ts'

/** Kills on each database: more of them by `TUTTI_TEST_KILLS=150 npx vitest run test/durability/nested.int.test.ts`. */
const KILLS = Number(process.env['TUTTI_TEST_KILLS'] ?? 2)
/** Appends of several runs are batched: this many batches on a busy machine, more on an idle one. */
const APPENDS = 17

describeKills('kill -9 of a run with nested runs', [], 'SQLite', (scene) => {
  async function die(dieAt: Death): Promise<boolean> {
    const { server, storage } = scene
    server.script([...NESTED_RULES, ...MODEL_RULES])
    const { runId, death, before, state, mails } = await killAndGoOn(scene, dieAt)
    const family = await familyOf(storage.store, runId)

    expect([state.status, state.answer?.text, family.length], death).toEqual(['finished', EXPECTED_ANSWER, 3])
    for (const one of family) expect((await storage.store.run(one))?.status, `${one}, ${death}`).toBe('finished')
    // Two levels plan, read and answer; the third one writes the mail, too. Each is counted once in the first.
    expect(state.usage.calls, death).toBe(10)
    const keyOf = (name: string, level: number): string => `${name} ${level}`
    const asked = server.requests.map(({ text }) =>
      keyOf(
        PROMPTS.find((one) => text.includes(`[${one}]`))!,
        levelIn(text),
      ),
    )
    const levels = new Map(
      before.flatMap((event) => (event.type === 'run.started' ? [[event.runId, levelIn(event.request.question)]] : [])),
    )
    const finished = new Set(
      before.flatMap((event) =>
        event.type === 'call.finished' && event.kind === 'model' ? [keyOf(event.name, levels.get(event.runId)!)] : [],
      ),
    )
    for (const key of new Set(asked)) {
      const times = asked.filter((other) => other === key).length
      expect(times, `${key}, ${death}`).toBeLessThanOrEqual(finished.has(key) ? 1 : 2)
    }
    expect(new Set(asked).size, death).toBe(10)
    expect(mails, `mails, ${death}`).toHaveLength(1)
    return death !== undefined
  }

  it(
    `${KILLS} times at random: all is done, no finished work is repeated, the mail is sent once`,
    async () => {
      const when = fc.constantFrom('before' as const, 'after' as const)
      const deaths = fc.sample(fc.record({ append: fc.integer({ min: 2, max: APPENDS }), when }), {
        numRuns: KILLS,
        seed: 5,
      })
      const died: boolean[] = []
      for (const death of deaths) died.push(await die(death))
      expect(died.filter(Boolean).length).toBeGreaterThan(KILLS / 2)
      expect(await die('before mail')).toBe(true)
      expect(await die('after mail')).toBe(true)
    },
    Math.max(180_000, KILLS * 15_000),
  )
})
