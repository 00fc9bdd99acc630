// Soak test: starts many sandboxes.
import { mkdtemp, readFile, readdir, rm, writeFile, chmod } from 'node:fs/promises'
import { createServer, type Server } from 'node:net'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { childProcesses, isAlive } from '../../test/support/child-processes.ts'
import { sample } from '../../test/support/length.ts'
import { ManualClock } from '../testing/manual-clock.ts'
import { systemClock } from '../shared/clock.ts'
import { ATTACKS, FATAL_ATTACKS, MEMORY_ATTACKS, type Attack } from '../../test/fixtures/sandbox/attacks.ts'
import { HONEST, HONEST_DATA } from '../../test/fixtures/sandbox/honest.ts'
import { createSandbox, type Sandbox, type SandboxResult } from './sandbox.ts'

const isStrong = process.platform === 'linux' && (process.arch === 'x64' || process.arch === 'arm64')
const CANARY = `canary-${Math.trunc(Date.now() / 1000)}-7f3a`

let folder: string
let server: Server
let connections = 0
let sandbox: Sandbox

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tutti-sandbox-'))
  await chmod(folder, 0o777)
  await writeFile(join(folder, 'secret.txt'), CANARY, { mode: 0o644 })
  process.env['TUTTI_CANARY'] = CANARY
  server = createServer((socket) => {
    connections++
    socket.end(CANARY)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  sandbox = createSandbox(
    { cacheDir: join(folder, 'cache'), memoryMb: MEMORY_MB, allowWeakIsolation: true },
    { clock: systemClock },
  )
  await sandbox.warm()
})

afterAll(async () => {
  delete process.env['TUTTI_CANARY']
  await sandbox.close()
  server.close()
  await rm(folder, { recursive: true })
})

/** Of all sandboxes of these tests and no others, so that their processes are known by it; other files start some, too. */
const MEMORY_MB = 491
const MEMORY_MARK = `"memoryMb":${MEMORY_MB}`

/** Processes that run the code of a sandbox of these tests. */
const children = (): number[] => childProcesses(MEMORY_MARK).map(({ pid }) => pid)

/** Programs as functions of one program, which ends with the list of what they give. */
function together(programs: readonly string[]): string {
  const functions = programs.map((code, at) => {
    const lines = code.split('\n')
    const isNamed = /^ *result = /m.test(code)
    const body = isNamed ? [...lines, 'return result'] : [...lines.slice(0, -1), `return ${lines.at(-1)}`]
    return [`def program${at}():`, ...body.map((line) => `    ${line}`), ''].join('\n')
  })
  return `${functions.join('\n')}\n[${programs.map((_code, at) => `program${at}()`).join(', ')}]`
}

/** The ways in which a program returns its result. */
const FORMS = new Set(['arithmetic', 'named result', 'main guard', 'dataclass'])

describe('honest code', () => {
  // A process for each would take most of the time of these tests.
  it('finds the libraries that it needs', async () => {
    const { error, value } = await sandbox.run({ code: together(HONEST.map(([, code]) => code)), data: HONEST_DATA })
    expect(error).toBeUndefined()
    const found = value as unknown[]
    expect(HONEST.map(([name], at) => [name, found[at]])).toEqual(HONEST.map(([name, , wanted]) => [name, wanted]))
  })

  it.concurrent.each(HONEST.filter(([name]) => FORMS.has(name)))('%s', async (_name, code, value) => {
    const result = await sandbox.run({ code, data: HONEST_DATA })
    expect(result.error).toBeUndefined()
    expect(result.ok).toBe(true)
    expect(result.value).toEqual(value)
  })

  it('is returned with output, variables, tables and images', async () => {
    const code = `
import sys, struct, zlib
print('hello'); print('oops', file=sys.stderr)
rows = [{'name': 'a', 'n': 1}, {'name': 'b', 'n': 2}]
columns = {'x': [1, 2], 'y': [3, 4]}
same = data['orders']
def chunk(kind, body): return struct.pack('>I', len(body)) + kind + body + struct.pack('>I', zlib.crc32(kind + body))
png = b'\\x89PNG\\r\\n\\x1a\\n' + chunk(b'IHDR', struct.pack('>IIBBBBB', 1, 1, 8, 2, 0, 0, 0)) + chunk(b'IDAT', zlib.compress(b'\\0abc')) + chunk(b'IEND', b'')
open('chart.png', 'wb').write(png)
open('/tmp/chart.svg', 'w').write('<svg xmlns="http://www.w3.org/2000/svg"/>')
open('notes.txt', 'w').write('not an image')
rows`
    const result = await sandbox.run({ code, data: HONEST_DATA })
    expect(result).toMatchObject({ ok: true, stdout: 'hello\n', stderr: 'oops\n', truncated: false })
    expect(result.locals).toMatchObject({ columns: { x: [1, 2], y: [3, 4] } })
    expect(result.locals).not.toHaveProperty('chunk')
    expect(result.tables).toEqual([
      {
        name: 'value',
        columns: ['name', 'n'],
        rows: [
          { name: 'a', n: 1 },
          { name: 'b', n: 2 },
        ],
        rowCount: 2,
        truncated: false,
      },
      {
        name: 'columns',
        columns: ['x', 'y'],
        rows: [
          { x: 1, y: 3 },
          { x: 2, y: 4 },
        ],
        rowCount: 2,
        truncated: false,
      },
    ])
    expect(result.images.map(({ name, mime }) => [name, mime])).toEqual([
      ['chart.png', 'image/png'],
      ['chart.svg', 'image/svg+xml'],
    ])
    expect(Buffer.from(result.images[0]!.base64, 'base64').subarray(1, 4).toString()).toBe('PNG')
  })

  it('that does not parse reports the position', async () => {
    const { error } = await sandbox.run({ code: 'x = (1 +' })
    expect(error).toMatchObject({ type: 'SyntaxError' })
    expect(error?.traceback).toContain('line 1')
  })

  it('is read completely, also without a final line break', async () => {
    const result = await sandbox.run({ code: `import sys\nprint('a', end='')\nsys.stderr.write('b')\nNone` })
    expect(result).toMatchObject({ ok: true, stdout: 'a', stderr: 'b' })
  })

  it('that asks for input, or raises its own error, reports it', async () => {
    expect((await sandbox.run({ code: `input()` })).error).toMatchObject({ type: 'EOFError' })
    const hostile = `class E(Exception):\n    def __str__(self): raise RuntimeError\nraise E()`
    expect((await sandbox.run({ code: hostile })).error).toMatchObject({ type: 'E' })
  })
})

/** Runs the attacks one after the other in one process, out of the policy's sight. */
const UNSEEN = `
import dataclasses
run = getattr(dataclasses.sys.modules['builtins'], 'ex' + 'ec')
outcomes = {}
for name, code in data:
    try:
        run(code, {'__name__': 'attack'})
        outcomes[name] = 'ran'
    except BaseException as error:
        outcomes[name] = type(error).__name__ + ': ' + str(error)[:200]
outcomes`

function armed({ name, code }: Attack): [string, string] {
  const { port } = server.address() as AddressInfo
  const filled = code
    .replaceAll('SECRET', join(folder, 'secret.txt'))
    .replaceAll('TARGET', join(folder, 'target'))
    .replaceAll('PORT', String(port))
    .replaceAll('PARENT', String(process.pid))
  return [name, filled]
}

async function expectUnharmed(...results: unknown[]): Promise<void> {
  expect(JSON.stringify(results)).not.toContain(CANARY)
  expect((await readdir(folder)).sort()).toEqual(['cache', 'secret.txt'])
  expect(await readFile(join(folder, 'secret.txt'), 'utf8')).toBe(CANARY)
  expect(connections).toBe(0)
}

/** The result, or the words of the error. */
function attempt(code: string, data: unknown, timeoutMs = 20_000): Promise<SandboxResult | string> {
  return sandbox.run({ code, data, timeoutMs }).catch(String)
}

describe('attacks', () => {
  it('are more than a hundred', () => {
    const names = [...ATTACKS, ...MEMORY_ATTACKS, ...FATAL_ATTACKS].map(({ name }) => name)
    expect(new Set(names).size).toBe(names.length)
    expect(names.length).toBeGreaterThan(100)
  })

  const groups = [...new Set(ATTACKS.map(({ name }) => name.split(':')[0]!))]
  it.each(groups)('on the %s read, write and reach nothing', async (group) => {
    const batch = ATTACKS.filter(({ name }) => name.startsWith(`${group}:`)).map(armed)
    const result = await attempt(UNSEEN, batch)
    await expectUnharmed(result)
    // All of them ran to their end, so none was skipped by an earlier one's crash.
    expect(typeof result === 'string' ? result : Object.keys(result.value as object)).toEqual(
      batch.map(([name]) => name),
    )
  })

  it.each(sample(MEMORY_ATTACKS, 3))('$name ends in a refusal, an error or a shortened result', async (attack) => {
    const result = await attempt(armed(attack)[1], null)
    await expectUnharmed(result)
    const refused = /^SandboxViolation: The code was stopped: it (needs too much memory|broke|calls)/
    expect(typeof result === 'string' ? refused.test(result) : result.truncated || !result.ok).toBe(true)
    expect(JSON.stringify(result).length).toBeLessThan(2_000_000)
  })

  it.each(sample(FATAL_ATTACKS, 3))('$name is stopped', async (attack) => {
    const result = await attempt(UNSEEN, [armed(attack)], 500)
    await expectUnharmed(result)
    expect(result).toMatch(/^SandboxViolation: The code was stopped: /)
  })

  const seen: [code: string, reason: RegExp][] = [
    ['import subprocess', /line 1: import of "subprocess"/],
    ['x = 1\nfrom ctypes import CDLL', /line 2: import of "ctypes"/],
    ["import os\nos.system('id')", /"os\.system"/],
    ['from os import environ', /"os\.environ"/],
    ["open('/etc/passwd').read()", /a path outside of the working folder, "\/etc\/passwd"/],
    ["open('../../etc/passwd').read()", /a path outside/],
    ["eval('1')", /"eval"/],
    ['().__class__.__base__.__subclasses__()', /attribute "__/],
    ['import pyodide_js', /import of "pyodide_js"/],
    ['import urllib.request', /import of "urllib.request"/],
    ['import asyncio', /import of "asyncio"/],
  ]
  it.each(sample(seen, 3))('that are visible in the source are named: %s', async (code, reason) => {
    await expect(sandbox.run({ code })).rejects.toMatchObject({
      code: 'SandboxViolation',
      message: expect.stringMatching(reason),
    })
  })

  it('cannot see their folder or user', async () => {
    const { value } = await sandbox.run({
      code: `import dataclasses\ns = dataclasses.sys\n[s.argv, s.orig_argv, dict(getattr(s.modules['os'], 'env' + 'iron'))]`,
    })
    expect(JSON.stringify(value)).not.toMatch(/node_modules|koffi|canary/i)
  })
})

describe('code of a job', () => {
  const run = (code: string, more: object = {}) => sandbox.run({ code, ...more })

  it('that fails returns the error with its lines', async () => {
    const { ok, error, stdout } = await run(`print('before')\ndef f(x):\n    return 1 / x\nf(0)`)
    expect({ ok, stdout }).toEqual({ ok: false, stdout: 'before\n' })
    expect(error).toMatchObject({ type: 'ZeroDivisionError', message: 'division by zero' })
    expect(error?.traceback).toMatch(/line 4, in <module>[^]*line 3, in f\n\s+return 1 \/ x/)
  })

  it('that needs another package gets the list of packages', async () => {
    const { error } = await run('import sklearn')
    expect(error?.message).toBe(`No module named 'sklearn': only the standard library of Python is available here.`)
  })

  it('finds nothing of another job', async () => {
    await run(`import builtins, os
builtins.left = os.path.left = 1
open('/tmp/left', 'w').write('x'); open('left', 'w').write('x')`)
    const { value } = await run(`import builtins, os
[hasattr(builtins, 'left'), hasattr(os.path, 'left'), os.path.exists('left'), os.path.exists('/tmp/left')]`)
    expect(value).toEqual([false, false, false, false])
  })

  it('gets different random numbers in each job', async () => {
    const draw = async () => (await run('import random, uuid\n[random.random(), uuid.uuid4()]')).value
    expect(await draw()).not.toEqual(await draw())
  })

  it('processes are killed when the caller gives up', async () => {
    const abort = new AbortController()
    const running = run('while True: pass', { signal: abort.signal, timeoutMs: 60_000 })
    setImmediate(() => abort.abort(new Error('given up')))
    await expect(running).rejects.toThrow('given up')
    await expect(run('1', { signal: abort.signal })).rejects.toThrow('given up')
    await sandbox.warm()
    expect(children().length).toBeLessThanOrEqual(1)
  })

  it('processes end after close, also active ones, and no new ones start', async () => {
    const other = createSandbox(
      { cacheDir: join(folder, 'cache'), memoryMb: MEMORY_MB, allowWeakIsolation: true },
      { clock: systemClock },
    )
    const running = other.run({ code: 'while True: pass', timeoutMs: 60_000 }).catch(String)
    await other.warm()
    await other.close()
    expect(await running).toMatch(/Cancelled|SandboxViolation/)
    await expect(other.run({ code: '1' })).rejects.toMatchObject({ code: 'Cancelled' })
    await sandbox.warm()
    expect(children().length).toBeLessThanOrEqual(1)
  })
})

describe('processes', () => {
  it('end with the job, except for one in reserve', async () => {
    await Promise.all([1, 2, 3].map((n) => sandbox.run({ code: `${n}` })))
    await sandbox.warm()
    expect(children().length).toBeLessThanOrEqual(1)
  })

  it.skipIf(process.platform !== 'linux')('run one job each', async () => {
    await sandbox.warm()
    const before = children()
    await sandbox.run({ code: '1' })
    await sandbox.warm()
    const after = children()
    expect(before).toHaveLength(1)
    expect(after).toHaveLength(1)
    expect(after).not.toEqual(before)
  })

  it('are killed when their time is over, by the given clock', async () => {
    const clock = new ManualClock()
    const slow = createSandbox(
      { cacheDir: join(folder, 'cache'), memoryMb: MEMORY_MB, allowWeakIsolation: true },
      { clock },
    )
    await slow.warm()
    const running = slow.run({ code: 'while True: pass', timeoutMs: 5000 })
    running.catch(() => undefined)
    while (clock.pending === 0) await new Promise((resolve) => setImmediate(resolve))
    await clock.advance(5000)
    await expect(running).rejects.toThrow('The code was stopped: it took longer than 5 seconds.')
    // The one for the next job comes a moment later, and not where it is closed by then.
    expect(clock.pending).toBe(1)
    await slow.close()
    expect(clock.pending).toBe(0)
  })

  it('replace a warm one that died', async () => {
    await sandbox.warm()
    const waiting = children()
    for (const pid of waiting) process.kill(pid, 'SIGKILL')
    while (waiting.some(isAlive)) await new Promise((resolve) => setImmediate(resolve))
    expect((await sandbox.run({ code: '6 * 7' })).value).toBe(42)
  })
})

describe('input and output', () => {
  it('passes data of any shape and removes characters that databases cannot store', async () => {
    const given = { text: 'ä 😀 "quoted" \u2028', list: [1, null, true, 1.5], nested: { deep: [[]] } }
    expect((await sandbox.run({ code: 'data', data: given })).value).toEqual(given)
    const { value, stdout } = await sandbox.run({ code: `print('a\\0b')\n['x\\0y', '\\ud800z']` })
    expect(value).toEqual(['x\uFFFDy', '\uFFFDz'])
    expect(stdout).toBe('a\uFFFDb\n')
  })

  it('refuses data that is too large or too deep, and code that is too long', async () => {
    const deep = JSON.parse('['.repeat(100) + ']'.repeat(100)) as unknown
    await expect(sandbox.run({ code: '1', data: deep })).rejects.toMatchObject({ code: 'ToolError' })
    await expect(sandbox.run({ code: '1', data: 'x'.repeat(17_000_000) })).rejects.toThrow(/larger than 16 MB/)
    await expect(sandbox.run({ code: '#'.repeat(200_000) })).rejects.toMatchObject({ code: 'SandboxViolation' })
  })

  it('truncates output, with a note', async () => {
    const { ok, stdout, truncated } = await sandbox.run({ code: `print('é' * 300_000)` })
    expect({ ok, truncated, bytes: Buffer.byteLength(stdout) }).toEqual({ ok: true, truncated: true, bytes: 200_000 })
  })

  it('truncates tables, with a note', async () => {
    const { tables } = await sandbox.run({ code: `[{'n': i} for i in range(5000)]` })
    expect(tables[0]).toMatchObject({ rowCount: 1000, truncated: true })
  })

  const svg = (count: number, text: string): string =>
    `for i in range(${count}): open('%d.svg' % i, 'w').write('<svg>' + ${text} + '</svg>')`
  const cut: [name: string, large: string, small: string][] = [
    ['a long text', `'x' * 20_001`, `x = list(range(101)); 'x' * 1000`],
    ['a huge number', `10 ** 5000`, `x = 'x' * 20_001; 10 ** 2000`],
    ['a long text in a table', `[{'a': 'x' * 20_001}]`, `[{'a': 'x' * 1000}]`],
    ['many images', svg(9, `''`), svg(8, `''`)],
    ['a large image', svg(1, `'x' * 2_000_000`), svg(1, `'x' * 1000`)],
  ]
  it.each(sample(cut, 3))('reports that %s was truncated, and only then', async (_name, large, small) => {
    expect(await sandbox.run({ code: large })).toMatchObject({ ok: true, truncated: true })
    expect(await sandbox.run({ code: small })).toMatchObject({ ok: true, truncated: false })
  })
})

describe('isolation', () => {
  it.skipIf(!isStrong)('is strong where the kernel filters system calls, shown by the processes', async () => {
    await sandbox.warm()
    expect(sandbox.describe()).toEqual({ level: 'strong', memoryMb: MEMORY_MB })
    const status = readFileSync(`/proc/${children()[0]}/status`, 'utf8')
    expect(status).toMatch(/^Seccomp:\t2$/m)
    expect(status).toMatch(/^NoNewPrivs:\t1$/m)
    expect(status).not.toMatch(/^Uid:\t0/m)
    const environment = readFileSync(`/proc/${children()[0]}/cmdline`, 'utf8')
    expect(environment).not.toContain(CANARY)
  })

  const elsewhere = { os: 'freebsd', arch: process.arch, isRoot: process.getuid?.() === 0 } as const

  it('is refused when it would be weak, until the operator agrees', async () => {
    const strict = createSandbox({ cacheDir: join(folder, 'cache') }, { clock: systemClock, platform: elsewhere })
    expect(strict.describe()).toMatchObject({ level: 'weak' })
    await expect(strict.run({ code: '1' })).rejects.toMatchObject({
      code: 'ConfigurationError',
      message: expect.stringContaining('allowWeakIsolation'),
    })
    await strict.close()
  })

  it('holds without the kernel: the other protections alone', async () => {
    const weak = createSandbox(
      { cacheDir: join(folder, 'cache'), allowWeakIsolation: true },
      { clock: systemClock, platform: elsewhere },
    )
    const results = []
    for (const group of ['bridge', 'files', 'network']) {
      const batch = ATTACKS.filter(({ name }) => name.startsWith(`${group}:`)).map(armed)
      results.push(await weak.run({ code: UNSEEN, data: batch, timeoutMs: 20_000 }))
    }
    results.push(
      await weak
        .run({ code: UNSEEN, data: [armed(FATAL_ATTACKS.find(({ name }) => name.includes('os.system'))!)] })
        .catch(String),
    )
    await weak.close()
    await expectUnharmed(results)
  })
})
