import { seccompFilter, SYS_SECCOMP, type FilterArch } from './seccomp-filter.ts'

// sys/prctl.h, sys/resource.h, linux/seccomp.h
const PR_SET_PDEATHSIG = 1
const PR_SET_NO_NEW_PRIVS = 38
const SIGKILL = 9
const SECCOMP_SET_MODE_FILTER = 1
const SECCOMP_FILTER_FLAG_TSYNC = 1
const RLIMIT = { cpu: 0, fileSize: 1, data: 2, core: 4 } as const
// fcntl.h, unistd.h: the same on both architectures
const F_GETFL = 3
const F_SETFL = 4
const O_RDONLY = 0
const O_NONBLOCK = 0x800
const SC_PAGESIZE = 30
/** Below this, honest code would find no room. */
const ROOM_MB = 32
const MB = 1024 * 1024

export type Koffi = typeof import('koffi')

/** The few system calls that Node does not offer. */
export interface Kernel {
  /** The process is killed when its parent ends. */
  dieWithParent(): void
  /** Processor time in seconds; no files, no core dumps. */
  limit(cpuSeconds: number): void
  /** Makes reads from the descriptor blocking; it may arrive as non-blocking. */
  waitOn(descriptor: number): void
  /**
   * From here on the process may use at most this many megabytes in total, of any kind: WebAssembly, JavaScript, or
   * buffers outside of both, where the interpreter keeps its files. Called last before `filterCalls`.
   * @throws Error if the process already uses nearly as much
   */
  limitMemory(megabytes: number): void
  /** From here on, only the calls of `seccompFilter` are possible, for all threads and for good. */
  filterCalls(): void
}

/** Binds the C library. Linux on x64 or arm64 alone. */
export function loadKernel(koffi: Koffi, arch: FilterArch): Kernel {
  const libc = koffi.load(null)
  const prctl = libc.func('int prctl(int, unsigned long, unsigned long, unsigned long, unsigned long)')
  const syscall = libc.func('long syscall(long, unsigned long, unsigned long, void*)')
  const setrlimit = libc.func('int setrlimit(int, void*)')
  const fcntl = libc.func('int fcntl(int, int, int)')
  const readMemory = memoryReader(libc)
  const filter = seccompFilter(arch)
  // struct sock_fprog: the number of instructions, and their address.
  const program = Buffer.alloc(16)
  program.writeUInt16LE(filter.length / 8, 0)
  program.writeBigUInt64LE(BigInt(koffi.address(filter)), 8)
  const limit = (resource: number, value: number): void => {
    const bytes = Buffer.alloc(16)
    bytes.writeBigUInt64LE(BigInt(value), 0)
    bytes.writeBigUInt64LE(BigInt(value), 8)
    demand('setrlimit', setrlimit(resource, bytes) as number)
  }
  return {
    dieWithParent: () => demand('prctl(PR_SET_PDEATHSIG)', prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0) as number),
    limit(cpuSeconds) {
      limit(RLIMIT.cpu, cpuSeconds)
      limit(RLIMIT.fileSize, 0)
      limit(RLIMIT.core, 0)
    },
    waitOn(descriptor) {
      const flags = fcntl(descriptor, F_GETFL, 0) as number
      demand('fcntl', flags < 0 ? flags : (fcntl(descriptor, F_SETFL, flags & ~O_NONBLOCK) as number))
    },
    limitMemory(megabytes) {
      const { resident, data } = readMemory()
      const room = megabytes * MB - resident
      if (room < ROOM_MB * MB) {
        const usedMb = Math.ceil(resident / MB)
        throw new Error(
          `Python alone takes ${usedMb} MB, so ${megabytes} MB are too few; set sandbox.memoryMb to ${usedMb + ROOM_MB + 16} or more`,
        )
      }
      // The kernel counts private memory when it becomes writable, so reserved addresses cost nothing.
      limit(RLIMIT.data, data + room)
    },
    filterCalls() {
      // The kernel reads the filter through its address, so it must not have been collected.
      if (filter.length === 0) throw new Error('There is no filter.')
      demand('prctl(PR_SET_NO_NEW_PRIVS)', prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) as number)
      const result = syscall(SYS_SECCOMP[arch], SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, program) as number
      demand('seccomp', Number(result))
    },
  }
}

/** Reads how much memory the process has, by the C library: Node's permission model closes /proc. In bytes. */
function memoryReader(libc: ReturnType<Koffi['load']>): () => { resident: number; data: number } {
  const open = libc.func('int open(const char*, int)')
  const read = libc.func('long read(int, void*, size_t)')
  const close = libc.func('int close(int)')
  const pageSize = Number(libc.func('long sysconf(int)')(SC_PAGESIZE))
  return () => {
    const text = Buffer.alloc(256)
    const descriptor = open('/proc/self/statm', O_RDONLY) as number
    const length = Number(read(descriptor, text, text.length))
    close(descriptor)
    // proc_pid_statm(5): the second field is resident memory, the sixth private writable memory.
    const pages = text.toString('latin1', 0, Math.max(length, 0)).split(' ').map(Number)
    const [resident, data] = [pages[1]! * pageSize, pages[5]! * pageSize]
    if (!(resident > 0 && data > 0)) throw new Error('the memory of the process cannot be read from /proc/self/statm')
    return { resident, data }
  }
}

function demand(call: string, result: number): void {
  if (result !== 0) throw new Error(`${call} failed (${result})`)
}
