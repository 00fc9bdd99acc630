import { readdirSync, readFileSync } from 'node:fs'
import { chmod, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer, type AddressInfo, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { systemClock } from '../../shared/clock.ts'
import { HONEST, HONEST_DATA } from '../../../test/fixtures/sandbox/honest.ts'
import { currentPlatform } from '../platform.ts'
import { createSandbox, type Sandbox, type SandboxResult } from '../sandbox.ts'
import { CPYTHON_ATTACKS, type Attack } from '../../../test/fixtures/sandbox/cpython/attacks.ts'
import { NUMERIC, NUMERIC_DATA } from '../../../test/fixtures/sandbox/cpython/honest.ts'
import { findCPython, findProgram } from './installation.ts'

const CANARY = `canary-${process.pid}-${Math.random().toString(36).slice(2)}`
/** A memory limit that only this file uses, so that its processes can be identified. */
const MEMORY_MB = 487

const sandbox = createSandbox({ backend: 'cpython', memoryMb: MEMORY_MB }, { clock: systemClock })
/** Whether bubblewrap, Python, numpy, pandas and the required kernel features are available. */
const reason = await sandbox.warm().then(
  () => undefined,
  (error: unknown) => String(error),
)
const isX64 = process.arch === 'x64'

let folder: string
let server: Server
let connections = 0
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tutti-cpython-'))
  await writeFile(join(folder, 'secret.txt'), CANARY)
  // File permissions must not hide a missing wall.
  await chmod(folder, 0o777)
  await chmod(join(folder, 'secret.txt'), 0o666)
  server = createServer((socket) => {
    connections++
    socket.destroy()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  process.env['TUTTI_CANARY'] = CANARY
})
afterAll(async () => {
  delete process.env['TUTTI_CANARY']
  await sandbox.close()
  await new Promise((resolve) => server.close(resolve))
  await rm(folder, { recursive: true })
})

/** All processes of this file's sandboxes. */
function processes(): string[] {
  return readdirSync('/proc').filter((name) => {
    if (!/^\d+$/.test(name)) return false
    try {
      return readFileSync(`/proc/${name}/cmdline`, 'utf8').includes(`"memoryMb":${MEMORY_MB},`)
    } catch {
      return false
    }
  })
}

/** A job ends only after all its child processes, so the test need not wait. */
function expectProcesses(most: number): void {
  expect(processes().length).toBeLessThanOrEqual(most)
}

/** Bubblewrap, its first process inside, and Python. */
const PROCESSES_OF_ONE = 3

/** Runs the code out of the policy's sight. */
const UNSEEN = `
import dataclasses
run = getattr(dataclasses.sys.modules['builtins'], 'ex' + 'ec')
space = {'__name__': 'attack'}
run(data, space)
x = space.get('x')
x`

function armed({ code }: Attack): string {
  const { port } = server.address() as AddressInfo
  return code
    .replaceAll('SECRET', join(folder, 'secret.txt'))
    .replaceAll('TARGET', join(folder, 'target'))
    .replaceAll('PORT', String(port))
    .replaceAll('PARENT', String(process.pid))
}

/** Attacks after which the process is gone. The parent cannot determine the cause. */
const ENDS = new Set([
  'process: abort',
  'process: quick exit',
  'process: memory fault',
  'memory: very deep recursion',
  'forgery: closed reply',
])

/** The expected error when the process is ended for an attack. */
function wordsFor({ name, end }: Attack): RegExp {
  if (end !== 'stopped') return /^$/
  if (ENDS.has(name)) return /^ToolError: The Python process ended unexpectedly/
  if (name.startsWith('network')) return /^SandboxViolation: The code was stopped: it tried a system call/
  if (name.startsWith('memory'))
    return /^SandboxViolation: The code was stopped: it (needs too much memory|ended the process)/
  return /^SandboxViolation: The code was stopped: /
}

function attempt(code: string, data: unknown, timeoutMs: number): Promise<SandboxResult | string> {
  return sandbox.run({ code, data, timeoutMs }).catch(String)
}

describe.skipIf(reason !== undefined)('CPython (needs bubblewrap, python3, numpy, pandas and user namespaces)', () => {
  it('lists the walls', () => {
    expect(sandbox.describe()).toEqual({
      backend: 'cpython',
      level: 'strong',
      ownProcess: true,
      emptyEnvironment: true,
      permissionModel: false,
      namespaces: true,
      seccomp: true,
      nonRoot: true,
      packages: ['numpy', 'pandas'],
      memoryMb: MEMORY_MB,
      confirmed: true,
    })
  })

  it('has the walls: a filter, no new privileges, no root, on all threads', async () => {
    await sandbox.warm()
    const inner = processes().filter((pid) => !readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('bwrap'))
    expect(inner).toHaveLength(1)
    for (const thread of readdirSync(`/proc/${inner[0]}/task`)) {
      const status = readFileSync(`/proc/${inner[0]}/task/${thread}/status`, 'utf8')
      expect(status).toMatch(/^Seccomp:\t2$/m)
      expect(status).toMatch(/^Seccomp_filters:\t2$/m)
      expect(status).toMatch(/^NoNewPrivs:\t1$/m)
      expect(status).toMatch(/^CapEff:\t0+$/m)
      expect(status).toMatch(/^CapBnd:\t0+$/m)
      expect(status).not.toMatch(/^Uid:\t0/m)
    }
  })

  it('limits and measures the memory of all processes inside', async () => {
    const { peakMb } = await sandbox.check()
    expect(peakMb).toBeGreaterThan(MEMORY_MB * 0.6)
    expect(peakMb).toBeLessThan(MEMORY_MB * 1.3)
  })

  describe('honest code', () => {
    it.concurrent.each(NUMERIC)('%s', async (_name, code, value) => {
      const result = await sandbox.run({ code, data: NUMERIC_DATA })
      expect(result.error).toBeUndefined()
      expect(result.value).toEqual(value)
    })

    it.concurrent.each(HONEST)('of the standard library: %s', async (_name, code, value) => {
      const result = await sandbox.run({ code, data: HONEST_DATA })
      expect(result.error).toBeUndefined()
      expect(result.value).toEqual(value)
    })

    it('is returned with output, variables, tables and images', async () => {
      const code = `
import sys, pandas as pd, numpy as np
print('hello'); print('oops', file=sys.stderr); sys.stdout.buffer.write(b'raw\\n')
frame = pd.DataFrame({'n': range(1500)})
shares = pd.Series({'a': 0.25, 'b': 0.75}, name='share')
grid = np.eye(2)
same = data['orders']
open('chart.svg', 'w').write('<svg xmlns="http://www.w3.org/2000/svg"/>')
open('/tmp/notes.txt', 'w').write('not an image')
result = frame`
      const result = await sandbox.run({ code, data: NUMERIC_DATA })
      expect(result).toMatchObject({ ok: true, stdout: 'hello\nraw\n', stderr: 'oops\n', truncated: true })
      expect(result.tables).toMatchObject([
        { name: 'value', columns: ['n'], rowCount: 1000, truncated: true },
        {
          name: 'shares',
          columns: ['index', 'share'],
          rows: [
            { index: 'a', share: 0.25 },
            { index: 'b', share: 0.75 },
          ],
        },
      ])
      expect(result.locals).toMatchObject({
        grid: [
          [1, 0],
          [0, 1],
        ],
        shares: { a: 0.25, b: 0.75 },
      })
      expect(result.locals).not.toHaveProperty('pd')
      expect(result.locals).not.toHaveProperty('same')
      expect(result.images.map(({ name, mime }) => [name, mime])).toEqual([['chart.svg', 'image/svg+xml']])
    })

    it('that fails returns the error with its lines', async () => {
      const { ok, error, stdout } = await sandbox.run({ code: `print('before')\ndata['x']`, data: {} })
      expect({ ok, stdout }).toEqual({ ok: false, stdout: 'before\n' })
      expect(error).toMatchObject({ type: 'KeyError', traceback: expect.stringContaining('line 2') })
    })

    it('that needs another package gets the list of packages', async () => {
      const { error } = await sandbox.run({ code: 'import sklearn' })
      expect(error?.message).toBe(
        "No module named 'sklearn': only the standard library of Python, numpy and pandas are available here.",
      )
    })

    it('that is forbidden is refused before it runs', async () => {
      await expect(sandbox.run({ code: 'import subprocess' })).rejects.toMatchObject({
        code: 'SandboxViolation',
        message: expect.stringContaining('import of "subprocess"'),
      })
    })

    it('returns text that databases can store, also from invalid bytes', async () => {
      const code = `import sys\nprint('a\\0b\\ud800'); sys.stdout.buffer.write(b'\\xff')\n['x\\0y', float('nan'), float('inf'), 2**60]`
      const { stdout, value } = await sandbox.run({ code })
      expect(stdout).toBe('a\uFFFDb?\n')
      expect(value).toEqual(['x\uFFFDy', 'nan', 'inf', '1152921504606846976'])
    })

    it('finds nothing of another job', async () => {
      const code = `import builtins, numpy, os
builtins.left = numpy.left = 1
open('/tmp/left', 'w').write('x'); open('left', 'w').write('x')`
      await sandbox.run({ code })
      const look = `import builtins, numpy, os
[hasattr(builtins, 'left'), hasattr(numpy, 'left'), os.listdir('/tmp'), os.listdir('.')]`
      expect((await sandbox.run({ code: look })).value).toEqual([false, false, [], []])
    })

    it('gets different random numbers in each job', async () => {
      const draw = async () =>
        (await sandbox.run({ code: 'import numpy, random\n[numpy.random.rand(), random.random()]' })).value
      expect(await draw()).not.toEqual(await draw())
    })
  })

  describe('attacks', () => {
    it('are many, each with a unique name', () => {
      const names = CPYTHON_ATTACKS.map(({ name }) => name)
      expect(new Set(names).size).toBe(names.length)
      expect(names.length).toBeGreaterThan(90)
    })

    // The numbers of system calls in them are those of x64.
    it.skipIf(!isX64).concurrent.each(CPYTHON_ATTACKS)('$name is $end', { timeout: 60_000 }, async (attack) => {
      const result = await attempt(UNSEEN, armed(attack), attack.name.startsWith('time') ? 700 : 15_000)
      expect(JSON.stringify(result)).not.toContain(CANARY)
      expect(JSON.stringify(result).length).toBeLessThan(2_000_000)
      const end = typeof result === 'string' ? 'stopped' : result.ok ? 'contained' : 'fails'
      expect([end, result]).toEqual([attack.end, result])
      expect(typeof result === 'string' ? result : '').toMatch(wordsFor(attack))
    })

    it('read, write and reach nothing, and leave no process', async () => {
      expect(await readdir(folder)).toEqual(['secret.txt'])
      expect(await readFile(join(folder, 'secret.txt'), 'utf8')).toBe(CANARY)
      expect(connections).toBe(0)
      await sandbox.warm()
      expectProcesses(PROCESSES_OF_ONE)
    })
  })

  describe('processes', () => {
    it('are killed when the caller aborts, with all child processes', async () => {
      const abort = new AbortController()
      const running = sandbox.run({ code: 'while True: pass', signal: abort.signal, timeoutMs: 60_000 })
      setImmediate(() => abort.abort(new Error('given up')))
      await expect(running).rejects.toThrow('given up')
      await sandbox.warm()
      expectProcesses(PROCESSES_OF_ONE)
    })

    it('are gone after close', async () => {
      const other: Sandbox = createSandbox({ backend: 'cpython', memoryMb: MEMORY_MB }, { clock: systemClock })
      const running = other.run({ code: 'while True: pass', timeoutMs: 60_000 }).catch(String)
      await other.warm()
      await other.close()
      expect(await running).toMatch(/Cancelled|SandboxViolation/)
      await sandbox.warm()
      expectProcesses(PROCESSES_OF_ONE)
    })
  })
})

it.skipIf(reason === undefined)(`CPython is missing here, and the error suggests a fix: ${reason}`, () => {
  expect(reason).toMatch(/^ConfigurationError: .*apt-get install bubblewrap python3-numpy python3-pandas/)
  // Where the programs are missing, `describe` knows before anything is started.
  const found = findCPython(currentPlatform(), findProgram)
  expect(sandbox.describe().unavailable).toBe(typeof found === 'string' ? found : undefined)
})
