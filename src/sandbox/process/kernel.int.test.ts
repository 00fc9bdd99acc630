import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { buildSync } from 'esbuild'
import { describe, expect, it } from 'vitest'
import { verdictOf } from '../../../test/fixtures/sandbox/seccomp-verdict.ts'
import { seccompFilter } from './seccomp-filter.ts'

const hasKernel = process.platform === 'linux' && (process.arch === 'x64' || process.arch === 'arm64')

/** Runs statements in a process that has locked itself by `kernel.ts` alone: no permission flags, no Python. */
async function locked(statements: string): Promise<{ output: string; signal: string | null }> {
  const { outputFiles } = buildSync({
    stdin: {
      contents: `
        import { loadKernel } from './kernel.ts'
        import { openSync, readFileSync, writeSync, writeFileSync, unlinkSync, readdirSync } from 'node:fs'
        import { spawnSync } from 'node:child_process'
        import { connect, createServer } from 'node:net'
        import { Worker } from 'node:worker_threads'
        import koffi from 'koffi'
        const fork = koffi.load(null).func('int fork()')
        const syscall = koffi.load(null).func('long syscall(long, long, long, long, long, long, long)')
        const kernel = loadKernel(koffi, process.arch)
        const say = (text) => writeSync(1, text + '\\n')
        const attempt = (work) => { try { work(); say('done') } catch (error) { say(error.code ?? error.message) } }
        kernel.dieWithParent()
        kernel.limit(60)
        kernel.filterCalls()
        ${statements}
        await new Promise((resolve) => process.nextTick(resolve))
        say('END')
        // Under the filter nothing may enter the event loop again.
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)`,
      resolveDir: fileURLToPath(new URL('.', import.meta.url)),
      loader: 'ts',
    },
    bundle: true,
    external: ['koffi'],
    write: false,
    format: 'esm',
    platform: 'node',
    target: 'node20',
  })
  const child = spawn(process.execPath, ['--input-type=module', '--eval', outputFiles[0]!.text], {
    cwd: fileURLToPath(new URL('.', import.meta.url)),
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  let output = ''
  child.stdout.setEncoding('utf8').on('data', (piece: string) => {
    output += piece
    // It stays until it is killed, so that the signal tells whether the filter ended it before.
    if (output.endsWith('END\n')) child.kill('SIGKILL')
  })
  const [, signal] = (await once(child, 'close')) as [number | null, string | null]
  return { output: output.replace(/END\n$/, '').trim(), signal }
}

describe.skipIf(!hasKernel)('the system call filter alone (Linux on x64 or arm64)', () => {
  it('allows computing, memory and pipes', async () => {
    const { output, signal } = await locked(`
      const big = Array.from({ length: 1e6 }, (_, i) => i).reduce((a, b) => a + b)
      say(String(big)); say(String(new Date(0).toISOString())); say(String(crypto.getRandomValues(new Uint8Array(4)).length))`)
    expect({ output, signal }).toEqual({ output: '499999500000\n1970-01-01T00:00:00.000Z\n4', signal: 'SIGKILL' })
  })

  it.each([
    ['reading a file', `openSync('/etc/hostname', 'r')`],
    ['reading its own environment', `readFileSync('/proc/self/environ')`],
    ['writing a file', `writeFileSync('/tmp/tutti-filter-test', 'x')`],
    ['listing a folder', `readdirSync('/')`],
    ['deleting a file', `unlinkSync('/tmp/tutti-filter-test')`],
    ['starting a program', `{ const { error } = spawnSync('/bin/true'); if (error) throw error }`],
    ['a new folder to stand in', `process.chdir('/tmp')`],
  ])('refuses %s', async (_name, code) => {
    const { output, signal } = await locked(`attempt(() => ${code})`)
    expect(signal).toBe('SIGKILL')
    expect(output).toMatch(/^(EPERM|EACCES|operation not permitted)/i)
  })

  it.each([
    ['a new process', `fork()`],
    ['a connection', `connect(9, '127.0.0.1')`],
    ['a server', `createServer().listen(0)`],
    ['a signal to another process', `process.kill(process.ppid, 'SIGTERM')`],
    ['a ring of requests', `syscall(425, 1, 0, 0, 0, 0, 0)`],
    ['another user', `process.setuid(0)`],
  ])('ends the process for %s', async (_name, code) => {
    const { signal } = await locked(`attempt(() => ${code})`)
    expect(signal).toBe('SIGSYS')
  })
})

describe.skipIf(!hasKernel)('rings of requests that Node itself opened (Linux on x64 or arm64)', () => {
  it('cannot be used to bypass the filter', async () => {
    const { output, signal } = await locked(`
      const EPERM = 1
      for (let descriptor = 3; descriptor < 64; descriptor++) {
        for (const call of [426, 427]) {
          const isRefused = Number(syscall(call, descriptor, 0, 0, 0, 0, 0)) === -1 && koffi.errno() === EPERM
          if (!isRefused) say('used ' + descriptor)
        }
      }
      say('none')`)
    expect({ output, signal }).toEqual({ output: 'none', signal: 'SIGKILL' })
  })
})

describe('the filter program', () => {
  it.each(['x64', 'arm64'] as const)(
    'is well formed for %s: every jump stays inside, and every path returns',
    (arch) => {
      const bytes = seccompFilter(arch)
      const count = bytes.length / 8
      expect(count).toBeLessThan(256)
      for (let i = 0; i < count; i++) {
        const code = bytes.readUInt16LE(i * 8)
        const jumps = (code & 0x07) === 0x05 ? [bytes[i * 8 + 2]!, bytes[i * 8 + 3]!] : [0]
        if (code === 0x06) continue
        for (const jump of jumps) expect(i + 1 + jump).toBeLessThan(count)
      }
      expect(bytes.readUInt16LE((count - 1) * 8)).toBe(0x06)
    },
  )

  function verdict(arch: 'x64' | 'arm64', number: number, audit: number, argument = 0): number {
    return verdictOf(seccompFilter(arch), number, audit, [argument])
  }

  const [ALLOW, KILL, EPERM, ENOSYS] = [0x7fff0000, 0x80000000, 0x00050001, 0x00050026]
  it.each([
    ['x64', 0xc000003e, { read: 0, open: 2, openat: 257, execve: 59, socket: 41, clone: 56, x32read: 0x40000000 }],
    ['arm64', 0xc00000b7, { read: 63, open: 1024, openat: 56, execve: 221, socket: 198, clone: 220, x32read: 5000 }],
  ] as const)('decides as meant on %s', (arch, audit, call) => {
    expect(verdict(arch, call.read, audit)).toBe(ALLOW)
    expect(verdict(arch, call.open, audit)).toBe(EPERM)
    expect(verdict(arch, call.openat, audit)).toBe(EPERM)
    expect(verdict(arch, call.execve, audit)).toBe(KILL)
    expect(verdict(arch, call.socket, audit)).toBe(KILL)
    expect(verdict(arch, call.clone, audit, 0x10000)).toBe(ALLOW)
    expect(verdict(arch, call.clone, audit, 0)).toBe(KILL)
    expect(verdict(arch, 435, audit)).toBe(ENOSYS)
    expect(verdict(arch, call.x32read, audit)).toBe(arch === 'x64' ? KILL : EPERM)
    expect(verdict(arch, call.read, 0x40000003)).toBe(KILL)
  })
})
