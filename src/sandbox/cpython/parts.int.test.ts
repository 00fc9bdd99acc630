import { describe, expect, it } from 'vitest'
import { systemClock } from '../../shared/clock.ts'
import { createSandbox } from '../sandbox.ts'
import { verdictOf } from '../../../test/fixtures/sandbox/seccomp-verdict.ts'
import { cpythonBackend } from './backend.ts'
import { bubblewrapArguments } from './bubblewrap.ts'
import { cpythonFilter } from './seccomp-filter.ts'
import { findCPython, readablePaths, type CPython } from './installation.ts'

const LINUX = { os: 'linux', arch: 'x64', isRoot: false } as const
const INSTALLED: CPython = { bubblewrap: '/usr/bin/bwrap', python: '/usr/bin/python3.11', arch: 'x64' }

describe('requirements', () => {
  const find =
    (...names: string[]) =>
    (name: string) =>
      names.includes(name) ? `/usr/bin/${name}` : undefined

  it('are found', () => {
    expect(findCPython(LINUX, find('bwrap', 'python3'))).toEqual({
      bubblewrap: '/usr/bin/bwrap',
      python: '/usr/bin/python3',
      arch: 'x64',
    })
  })

  it.each([
    [[], /needs bubblewrap and python3\. On Debian.*apt-get install bubblewrap python3-numpy python3-pandas/],
    [['bwrap'], /needs python3\. On Debian/],
    [['python3'], /needs bubblewrap\. On Debian/],
  ])('are named when only %j is available', (there, message) => {
    expect(findCPython(LINUX, find(...there))).toMatch(message)
  })

  it.each([
    ['darwin', 'arm64'],
    ['win32', 'x64'],
    ['linux', 'riscv64'],
  ] as const)('are unavailable on %s %s', (os, arch) => {
    expect(findCPython({ os, arch, isRoot: false }, find('bwrap', 'python3'))).toMatch(/needs Linux on x64 or arm64/)
  })

  it('are a configuration error for a job, and shown before', async () => {
    const backend = cpythonBackend(LINUX, { memoryMb: 512, outputBytes: 1000 }, () => undefined)
    expect(backend.describe().unavailable).toMatch(/needs bubblewrap and python3/)
    await expect(backend.prepare()).rejects.toMatchObject({ code: 'ConfigurationError' })

    const platform = { os: 'darwin', arch: 'arm64', isRoot: false } as const
    const sandbox = createSandbox({ backend: 'cpython', allowWeakIsolation: true }, { clock: systemClock, platform })
    expect(sandbox.describe()).toMatchObject({
      backend: 'cpython',
      unavailable: expect.stringContaining('needs Linux'),
    })
    await expect(sandbox.run({ code: '1' })).rejects.toMatchObject({ code: 'ConfigurationError' })
    await sandbox.close()
  })
})

describe('the arguments of bubblewrap', () => {
  const args = bubblewrapArguments(INSTALLED)

  it.each(['--unshare-all', '--unshare-user', '--die-with-parent', '--new-session', '--clearenv', '--remount-ro'])(
    'have %s',
    (flag) => expect(args).toContain(flag),
  )

  it('drop all privileges and become nobody', () => {
    const text = args.join(' ')
    expect(text).toContain('--cap-drop ALL')
    expect(text).toContain('--uid 65534 --gid 65534')
    expect(text).not.toContain('--share')
  })

  it('expose only the interpreter, read-only', () => {
    const shown = args.flatMap((arg, i) => (/^--(ro-)?bind/.test(arg) ? [args[i + 1]!] : []))
    expect(shown).toEqual(readablePaths(INSTALLED))
    for (const path of shown)
      expect(path).toMatch(
        /^\/usr\/(bin\/python|lib|local\/lib\/python|share\/zoneinfo)|^\/etc\/(alternatives|ld\.so\.cache)$/,
      )
    expect(shown).not.toContain('/usr')
    expect(args.filter((arg) => /^--(bind|proc|dev)(-try)?$/.test(arg))).toEqual([])
    // Whatever can be written is memory with a limit.
    const memory = args.flatMap((arg, i) => (arg === '--tmpfs' ? [args[i - 2]] : []))
    expect(memory).toEqual(['--size', '--size'])
  })
})

const [ALLOW, KILL, EPERM, ENOTTY, ENOMEM, ENOSYS] = [
  0x7fff0000, 0x80000000, 0x00050001, 0x00050019, 0x0005000c, 0x00050026,
]
const ARCHES = [
  [
    'x64',
    0xc000003e,
    {
      openat: 257,
      execve: 59,
      socket: 41,
      clone: 56,
      prctl: 157,
      symlinkat: 266,
      ioctl: 16,
      wait4: 61,
      ptrace: 101,
      memfd: 319,
      socketpair: 53,
      mmap: 9,
    },
  ],
  [
    'arm64',
    0xc00000b7,
    {
      openat: 56,
      execve: 221,
      socket: 198,
      clone: 220,
      prctl: 167,
      symlinkat: 36,
      ioctl: 29,
      wait4: 260,
      ptrace: 117,
      memfd: 279,
      socketpair: 199,
      mmap: 222,
    },
  ],
] as const

describe.each(ARCHES)('the filter on %s', (arch, audit, call) => {
  const running = (number: number, ...rest: number[]) => verdictOf(cpythonFilter(arch, 'running'), number, audit, rest)
  const starting = (number: number, ...rest: number[]) =>
    verdictOf(cpythonFilter(arch, 'starting'), number, audit, rest)

  it('lets code use files, threads and pipes', () => {
    expect([running(call.openat), running(call.socketpair), running(call.clone, 0x10000)]).toEqual([
      ALLOW,
      ALLOW,
      ALLOW,
    ])
    expect(running(435)).toBe(ENOSYS)
  })

  it('ends the process for programs, processes, sockets and similar calls', () => {
    for (const number of [call.execve, call.socket, call.ptrace, call.memfd]) expect(running(number)).toBe(KILL)
    expect(running(call.clone, 0)).toBe(KILL)
    expect(verdictOf(cpythonFilter(arch, 'running'), call.openat, 0x40000003)).toBe(KILL)
  })

  it('refuses the rest', () => {
    for (const number of [call.prctl, call.symlinkat, call.wait4, 600]) expect(running(number)).toBe(EPERM)
  })

  it('allows memory, but no shared memory', () => {
    const PRIVATE_ANONYMOUS = 0x22
    const SHARED_FILE = 0x01
    for (const flags of [PRIVATE_ANONYMOUS, SHARED_FILE, 0x02])
      expect(running(call.mmap, 0, 4096, 3, flags)).toBe(ALLOW)
    for (const flags of [0x21, 0x23, 0x4021]) expect(running(call.mmap, 0, 4096, 3, flags)).toBe(ENOMEM)
  })

  it('allows no terminals, but non-blocking sockets', () => {
    expect(running(call.ioctl, 0, 0x5421)).toBe(ALLOW)
    for (const request of [0x5401, 0x5412, 0x541c, 0]) expect(running(call.ioctl, 0, request)).toBe(ENOTTY)
  })

  it('lets the program start first', () => {
    for (const number of [call.execve, call.prctl, call.wait4, call.openat]) expect(starting(number)).toBe(ALLOW)
    expect(starting(call.clone, 0)).toBe(KILL)
    for (const number of [call.socket, call.ptrace]) expect(starting(number)).toBe(EPERM)
  })
})
