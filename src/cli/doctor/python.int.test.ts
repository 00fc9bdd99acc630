import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { childProcesses, kilobytes } from '../../../test/support/child-processes.ts'
import { systemClock } from '../../shared/clock.ts'
import { createSandbox, type Sandbox } from '../../sandbox/sandbox.ts'
import { checkPython } from './machine.ts'

const isStrong = process.platform === 'linux' && ['x64', 'arm64'].includes(process.arch)
/** A memory limit that only this file uses, so that its processes can be identified. */
const MEMORY_MB = 521

describe.skipIf(!isStrong)(
  'the doctor’s report on Python (needs the system call filter of Linux on x64 or arm64)',
  () => {
    let folder: string
    let sandbox: Sandbox
    beforeAll(async () => {
      folder = await mkdtemp(join(tmpdir(), 'tutti-doctor-'))
      sandbox = createSandbox({ cacheDir: folder, memoryMb: MEMORY_MB }, { clock: systemClock })
    })
    afterAll(async () => {
      await sandbox.close()
      await rm(folder, { recursive: true })
    })

    it('comes from executed code, with the measured memory', async () => {
      const report = await checkPython(sandbox)
      expect(report).toMatchObject({ works: true, confirmed: true, level: 'strong' })
      expect(report.problem).toBeUndefined()
      expect(report.peakMb).toBeGreaterThan(MEMORY_MB * 0.6)
      expect(report.peakMb).toBeLessThan(MEMORY_MB * 1.3)
    })

    it('is a problem when the process comes up and then ends at its first job', async () => {
      // A memory size that keeps the job busy for a while.
      const memoryMb = 3000
      const large = createSandbox({ cacheDir: folder, memoryMb }, { clock: systemClock })
      await large.warm()
      const find = () => childProcesses(`"memoryMb":${memoryMb},`)[0]!
      const ready = find()
      const report = checkPython(large)
      // Once it uses more memory it is at work. It is killed before it prints anything.
      while (kilobytes(find(), 'VmRSS') < kilobytes(ready, 'VmRSS') + 20_000) {
        await new Promise((resolve) => setImmediate(resolve))
      }
      process.kill(ready.pid, 'SIGABRT')
      expect(await report).toMatchObject({
        works: false,
        problem: expect.stringContaining('ended unexpectedly (signal SIGABRT)'),
      })
      await large.close()
    })

    it('is a problem when the chosen isolation is unavailable, and none when the platform does not support it', async () => {
      const platform = { os: 'freebsd', arch: process.arch, isRoot: false } as const
      const weak = createSandbox({}, { clock: systemClock, platform })
      expect(await checkPython(weak)).toMatchObject({ works: false, level: 'weak', unavailable: expect.any(String) })
      expect((await checkPython(weak)).problem).toBeUndefined()
      const chosen = createSandbox({ backend: 'cpython' }, { clock: systemClock, platform })
      expect((await checkPython(chosen)).problem).toMatch(/needs Linux/)
    })
  },
)
