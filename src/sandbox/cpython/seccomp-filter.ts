import { INTERPRETER_CALLS, KILLING_CALLS } from '../process/seccomp-filter.ts'
import {
  filterProgram,
  systemCalls,
  type ArgumentRule,
  type BitsRule,
  type FilterArch,
  type SystemCalls,
} from '../seccomp-program.ts'

// asm-generic/ioctls.h, errno.h: close on exec, or not, and whether to wait.
const FIOCLEX = 0x5451
const FIONCLEX = 0x5450
const FIONBIO = 0x5421
const ENOTTY = 25

/**
 * Access to files, which are the sandbox's own, and to pairs of pipes for event loops. Calls that create external
 * sockets, links, devices or processes, or that change permissions, are not included.
 */
const FILES_AND_PIPES = systemCalls(`
  open 2 -1, stat 4 -1, lstat 6 -1, pread64 17 67, pwrite64 18 68, access 21 -1, pipe 22 -1, select 23 -1,
  dup 32 23, dup2 33 -1, sendfile 40 71, sendto 44 206, recvfrom 45 207, shutdown 48 210, getsockname 51 204,
  getpeername 52 205, socketpair 53 199, setsockopt 54 208, getsockopt 55 209, fcntl 72 25, flock 73 32,
  fsync 74 82, fdatasync 75 83, truncate 76 45, ftruncate 77 46, getcwd 79 17, chdir 80 49, fchdir 81 50,
  rename 82 -1, mkdir 83 -1, rmdir 84 -1, unlink 87 -1, readlink 89 -1, chmod 90 -1, fchmod 91 52, umask 95 166,
  getrlimit 97 163, times 100 153, getuid 102 174, getgid 104 176, geteuid 107 175, getegid 108 177,
  getppid 110 173, getgroups 115 158, statfs 137 43, fstatfs 138 44, epoll_create 213 -1, getdents64 217 61,
  fadvise64 221 223, openat 257 56, mkdirat 258 34, newfstatat 262 79, unlinkat 263 35, renameat 264 38,
  readlinkat 267 78, fchmodat 268 53, faccessat 269 48, pselect6 270 72, utimensat 280 88, eventfd2 290 19,
  epoll_create1 291 20, dup3 292 24, pipe2 293 59, prlimit64 302 261, renameat2 316 276, copy_file_range 326 285,
  statx 332 291, close_range 436 436, faccessat2 439 439
`)

/** Additional calls during startup, until the restrictions are enabled; bubblewrap waits for the program inside. */
const STARTING = systemCalls(`
  execve 59 221, wait4 61 260, prctl 157 167, arch_prctl 158 -1, set_tid_address 218 96, seccomp 317 277
`)

/** Python checks whether a file is a terminal; none is. Event loops need non-blocking sockets. */
const IOCTL: ArgumentRule = { call: [16, 29], values: [FIOCLEX, FIONCLEX, FIONBIO], errno: ENOTTY }

// asm-generic/mman-common.h
const MAP_SHARED = 0x01
const MAP_ANONYMOUS = 0x20
const ENOMEM = 12

/** Shared anonymous memory. It would not count as the process's own, so its limit would not apply. */
const SHARED_MEMORY: BitsRule = { call: INTERPRETER_CALLS['mmap']!, bits: MAP_SHARED | MAP_ANONYMOUS, errno: ENOMEM }

const { mmap: _byItsFlags, ...ALWAYS } = INTERPRETER_CALLS
const CALLS: SystemCalls = { ...ALWAYS, ...FILES_AND_PIPES }
const KILLING: SystemCalls = Object.fromEntries(
  Object.entries(KILLING_CALLS).filter(([name]) => !Object.hasOwn(CALLS, name)),
)

/**
 * The filter for CPython: `starting`, which bubblewrap puts on, lets it come up; `running`, which it puts on itself on top
 * of that before any code arrives, takes away starting programs and changing filters, and ends the process for trying.
 */
export function cpythonFilter(arch: FilterArch, stage: 'starting' | 'running'): Buffer {
  const rules =
    stage === 'starting' ? { allowed: { ...CALLS, ...STARTING }, killing: {} } : { allowed: CALLS, killing: KILLING }
  return filterProgram(arch, { ...rules, bySecondArgument: [IOCTL], byFourthArgument: [SHARED_MEMORY] })
}
