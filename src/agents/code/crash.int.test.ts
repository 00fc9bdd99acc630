import { expect, it } from 'vitest'
import { codeAgent } from './agent.ts'
import { engineFor, eventually, gate, mortal, passing, request, types } from '../../../test/support/engine-world.ts'
import { ManualClock } from '../../testing/manual-clock.ts'
import { describeStores } from '../../../test/support/stores.ts'
import { offline } from '../../offline/index.ts'
import type { SandboxResult } from '../../sandbox/types.ts'
import type { PythonRunner } from '../python/tools.ts'

const RESULT: SandboxResult = {
  ok: true,
  stdout: '1\n',
  stderr: '',
  locals: {},
  tables: [],
  images: [],
  truncated: false,
  elapsedMs: 1,
}

describeStores('approved code that was cut off by a crash', (store) => {
  it('is run again without a second approval', async () => {
    const clock = new ManualClock()
    const dying = mortal(store())
    const begun = gate()
    const hanging: PythonRunner = {
      run: () => {
        begun.open()
        return new Promise(() => undefined)
      },
    }
    const codeRequest = request(['code'], { question: '```python\nprint(1)\n```' })
    const first = engineFor([codeAgent(hanging, offline.agents.code)], { store: dying, clock })
    const runId = await first.start(codeRequest)
    const pending = await eventually(async () => (await store().approvals({ runId, status: 'pending' }))[0])
    await first.decide(pending.approvalId, 'approved', 'ann')
    await eventually(begun.isOpen)
    expect(types(await store().read(runId)).at(-1)).toBe('effect.intended')
    dying.crash()
    await clock.advance(40_000)

    const codes: string[] = []
    const working: PythonRunner = {
      run: async ({ code }) => {
        codes.push(code)
        return RESULT
      },
    }
    const second = engineFor([codeAgent(working, offline.agents.code)], { store: store(), clock })
    try {
      await second.resume(runId)
      const state = await passing(clock, second.outcome(runId))
      expect(state.answer?.text).toBe('code=succeeded:1')
      expect(codes).toEqual(['print(1)\n'])
      expect(await store().approvals({ runId })).toHaveLength(1)
    } finally {
      await second.close()
    }
  })
})
