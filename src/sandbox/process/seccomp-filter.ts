/** Architectures with a filter, by the names of `process.arch`. */
export type FilterArch = 'x64' | 'arm64'

/** Numbers of system calls by name, from the kernel's tables; -1: not on this one. */
type SystemCalls = Readonly<Record<string, readonly [x64: number, arm64: number]>>

/** Reads a table of them: name, number on x64, number on arm64, parted by commas. */
function systemCalls(table: string): SystemCalls {
  const rows = table.split(',').map((row) => row.trim().split(/\s+/))
  return Object.fromEntries(rows.map(([name, x64, arm64]) => [name!, [Number(x64), Number(arm64)] as const]))
}

/**
 * System calls that the interpreter needs once everything is loaded: memory, waiting, time, and its open pipes. None of
 * them can open a file, create a socket or start a process. Numbers from the kernel's syscall tables; -1: not on this
 * one.
 */
const INTERPRETER_CALLS = systemCalls(`
  read 0 63, write 1 64, close 3 57, fstat 5 80, poll 7 -1, ppoll 271 73, lseek 8 62, mmap 9 222, mprotect 10 226,
  munmap 11 215, brk 12 214, rt_sigaction 13 134, rt_sigprocmask 14 135, rt_sigreturn 15 139, readv 19 65,
  writev 20 66, sched_yield 24 124, mremap 25 216, madvise 28 233, nanosleep 35 101, getpid 39 172, exit 60 93,
  uname 63 160, gettimeofday 96 169, getrusage 98 165, sysinfo 99 179, sigaltstack 131 132, gettid 186 178,
  time 201 -1, futex 202 98, sched_getaffinity 204 123, restart_syscall 219 128, clock_gettime 228 113,
  clock_getres 229 114, clock_nanosleep 230 115, exit_group 231 94, epoll_wait 232 -1, epoll_ctl 233 21,
  set_robust_list 273 99, epoll_pwait 281 22, getrandom 318 278, membarrier 324 283, pkey_mprotect 329 288,
  rseq 334 293, epoll_pwait2 441 441
`)

/** Calls that nothing honest makes: they end the process, so that the attempt is reported. All others fail with EPERM. */
const KILLING_CALLS = systemCalls(`
  socket 41 198, connect 42 203, sendto 44 206, bind 49 200, listen 50 201, socketpair 53 199, fork 57 -1,
  vfork 58 -1, execve 59 221, kill 62 129, ptrace 101 117, setuid 105 146, pivot_root 155 41, chroot 161 51,
  mount 165 40, init_module 175 105, tkill 200 130, kexec_load 246 104, keyctl 250 219, unshare 272 97,
  perf_event_open 298 241, setns 308 268, process_vm_readv 310 270, process_vm_writev 311 271, finit_module 313 273,
  memfd_create 319 279, bpf 321 280, execveat 322 281, userfaultfd 323 282, pidfd_send_signal 424 424,
  io_uring_setup 425 425, pidfd_open 434 434
`)

// linux/bpf_common.h, linux/seccomp.h, linux/audit.h
const LOAD_WORD = 0x20
const JUMP_IF_EQUAL = 0x15
const JUMP_IF_AT_LEAST = 0x35
const AND = 0x54
const RETURN = 0x06
const ALLOW = 0x7fff0000
const KILL_PROCESS = 0x80000000
const ERRNO = 0x00050000
const EPERM = 1
const ENOSYS = 38
const OFFSET_NUMBER = 0
const OFFSET_ARCH = 4
const OFFSET_FIRST_ARGUMENT = 16
const CLONE_THREAD = 0x10000
const X32_BIT = 0x40000000

const AUDIT_ARCH: Readonly<Record<FilterArch, number>> = { x64: 0xc000003e, arm64: 0xc00000b7 }
const CLONE: readonly [number, number] = [56, 220]
const CLONE3 = 435

/** The number of seccomp(2) itself. */
export const SYS_SECCOMP: Readonly<Record<FilterArch, number>> = { x64: 317, arm64: 277 }

type Instruction = readonly [code: number, jumpTrue: number, jumpFalse: number, value: number]

/**
 * The filter for the process, in the kernel's format: an array of `struct sock_filter`, eight bytes each (seccomp(2)). New threads are
 * allowed; an attempt to create a process kills the caller.
 */
export function seccompFilter(arch: FilterArch): Buffer {
  const column = arch === 'x64' ? 0 : 1
  const numbers = (table: SystemCalls): number[] =>
    Object.values(table).flatMap((row) => (row[column]! < 0 ? [] : [row[column]!]))
  const program: Instruction[] = [
    [LOAD_WORD, 0, 0, OFFSET_ARCH],
    [JUMP_IF_EQUAL, 1, 0, AUDIT_ARCH[arch]],
    [RETURN, 0, 0, KILL_PROCESS],
    [LOAD_WORD, 0, 0, OFFSET_NUMBER],
    // The second set of numbers of x86-64 (x32) would go round the list.
    ...(arch === 'x64'
      ? ([
          [JUMP_IF_AT_LEAST, 0, 1, X32_BIT],
          [RETURN, 0, 0, KILL_PROCESS],
        ] as const)
      : []),
    ...numbers(INTERPRETER_CALLS).flatMap((number) => whenEqual(number, ALLOW)),
    ...numbers(KILLING_CALLS).flatMap((number) => whenEqual(number, KILL_PROCESS)),
    // Threads are created by `clone`, whose flags can be checked; if `clone3` is missing, the C library uses `clone`.
    ...whenEqual(CLONE3, ERRNO | ENOSYS),
    [JUMP_IF_EQUAL, 0, 5, CLONE[column]!],
    [LOAD_WORD, 0, 0, OFFSET_FIRST_ARGUMENT],
    [AND, 0, 0, CLONE_THREAD],
    [JUMP_IF_EQUAL, 1, 0, CLONE_THREAD],
    [RETURN, 0, 0, KILL_PROCESS],
    [RETURN, 0, 0, ALLOW],
    [RETURN, 0, 0, ERRNO | EPERM],
  ]
  return encode(program)
}

function whenEqual(number: number, verdict: number): Instruction[] {
  return [
    [JUMP_IF_EQUAL, 0, 1, number],
    [RETURN, 0, 0, verdict],
  ]
}

function encode(program: readonly Instruction[]): Buffer {
  const bytes = Buffer.alloc(program.length * 8)
  for (const [i, [code, jumpTrue, jumpFalse, value]] of program.entries()) {
    bytes.writeUInt16LE(code, i * 8)
    bytes.writeUInt8(jumpTrue, i * 8 + 2)
    bytes.writeUInt8(jumpFalse, i * 8 + 3)
    bytes.writeUInt32LE(value >>> 0, i * 8 + 4)
  }
  return bytes
}
