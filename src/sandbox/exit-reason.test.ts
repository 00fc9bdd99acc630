import { describe, expect, it } from 'vitest'
import { exitError } from './exit-reason.ts'

const LIBUV = 'node: ../deps/uv/src/unix/linux.c:1234: uv__epoll_ctl_flush: Assertion failed.'

describe('the end of a process', () => {
  it.each([
    ['a call that nothing honest makes', { signal: 'SIGSYS' }, /a system call that is not allowed/],
    ['processor time', { signal: 'SIGXCPU' }, /too much processor time/],
    ['memory, said by the heap', { signal: 'SIGABRT', stderr: 'FATAL ERROR: JavaScript heap out of memory' }, /memory/],
    [
      'memory, said by a collection',
      { signal: 'SIGTRAP', stderr: '# Check failed: (result.ptr) != nullptr.' },
      /memory/,
    ],
    ['memory, said by C++', { signal: 'SIGABRT', stderr: "instance of 'std::bad_alloc'" }, /memory/],
    ['memory, without a word', { signal: 'SIGSEGV', isFull: true }, /memory/],
    ['memory, by the loader', { signal: null, exitCode: 127, isFull: true }, /memory/],
  ] as const)('by %s is attributed to the code', (_name, end, reason) => {
    const error = exitError({ exitCode: null, stderr: '', isFull: false, ...end })
    expect(error.code).toBe('SandboxViolation')
    expect(error.message).toMatch(reason)
  })

  it.each([
    ['the engine breaks', { signal: 'SIGABRT', stderr: LIBUV }, 'signal SIGABRT'],
    ['it stops by itself', { exitCode: 3 }, 'exit code 3'],
    ['the machine ends it', { signal: 'SIGKILL', isFull: true }, 'signal SIGKILL'],
    ['it cannot be started', { exitCode: 127 }, 'exit code 127'],
    ['it is asked to end', { signal: 'SIGTERM' }, 'signal SIGTERM'],
  ] as const)('is not attributed to the code when %s', (_name, end, how) => {
    const error = exitError({ signal: null, exitCode: null, stderr: '', isFull: false, ...end })
    expect(error).toMatchObject({ code: 'ToolError', details: { exitCode: 'exitCode' in end ? end.exitCode : null } })
    expect(error.message).toContain(`ended unexpectedly (${how})`)
    expect(error.message).not.toMatch(/code was stopped/)
  })
})
