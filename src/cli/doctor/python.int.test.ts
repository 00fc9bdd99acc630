import { expect, it } from 'vitest'
import { temporaryFolder } from '../../../test/support/temporary-folder.ts'
import { systemClock } from '../../shared/clock.ts'
import { TuttiError } from '../../domain/errors.ts'
import { createSandbox } from '../../sandbox/sandbox.ts'
import { checkPython } from './machine.ts'

const isStrong = process.platform === 'linux' && ['x64', 'arm64'].includes(process.arch)
const folder = temporaryFolder()

it.skipIf(!isStrong)('the report on Python comes from executed code (strong on Linux, x64 or arm64)', async () => {
  const sandbox = createSandbox({ cacheDir: folder }, { clock: systemClock })
  expect(await checkPython(sandbox)).toEqual({ works: true, level: 'strong', memoryMb: 512 })
  await sandbox.close()
})

it('a first job that fails is a problem', async () => {
  const run = async (): Promise<never> => {
    const details = { signal: 'SIGABRT', exitCode: null, stderr: 'first\nlast' } as const
    throw new TuttiError('ToolError', 'The Python process ended unexpectedly.', { details })
  }
  const sandbox = createSandbox({ allowWeakIsolation: true }, { clock: systemClock })
  const report = await checkPython({ ...sandbox, describe: () => sandbox.describe(), run })
  const problem = 'The Python process ended unexpectedly. Last output: last'
  expect(report).toMatchObject({ works: false, problem })
})

it('isolation that the platform does not support is no problem', async () => {
  const platform = { os: 'freebsd', arch: process.arch, isRoot: false } as const
  const report = await checkPython(createSandbox({}, { clock: systemClock, platform }))
  expect(report).toMatchObject({ works: false, level: 'weak', unavailable: expect.any(String) })
  expect(report.problem).toBeUndefined()
})
