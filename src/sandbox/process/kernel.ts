import { SYS_SECCOMP, type FilterArch } from '../seccomp-program.ts'
import { seccompFilter } from './seccomp-filter.ts'

// sys/prctl.h, sys/resource.h, linux/seccomp.h
const PR_SET_PDEATHSIG = 1
const PR_SET_NO_NEW_PRIVS = 38
const SIGKILL = 9
const SECCOMP_SET_MODE_FILTER = 1
const SECCOMP_FILTER_FLAG_TSYNC = 1
const RLIMIT = { cpu: 0, fileSize: 1, core: 4 } as const

export type Koffi = typeof import('koffi')

/** The few system calls that Node does not offer. */
export interface Kernel {
  /** The process is killed when its parent ends. */
  dieWithParent(): void
  /** Processor time in seconds; no files, no core dumps. */
  limit(cpuSeconds: number): void
  /** From here on, only the calls of `seccompFilter` are possible, for all threads and for good. */
  filterCalls(): void
}

/** Binds the C library. Linux on x64 or arm64 alone. */
export function loadKernel(koffi: Koffi, arch: FilterArch): Kernel {
  const libc = koffi.load(null)
  const prctl = libc.func('int prctl(int, unsigned long, unsigned long, unsigned long, unsigned long)')
  const syscall = libc.func('long syscall(long, unsigned long, unsigned long, void*)')
  const setrlimit = libc.func('int setrlimit(int, void*)')
  const filter = seccompFilter(arch)
  // struct sock_fprog: the number of instructions, and where they are.
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
    filterCalls() {
      // The kernel reads the filter through its address, so it must not have been collected.
      if (filter.length === 0) throw new Error('There is no filter.')
      demand('prctl(PR_SET_NO_NEW_PRIVS)', prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) as number)
      const result = syscall(SYS_SECCOMP[arch], SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, program) as number
      demand('seccomp', Number(result))
    },
  }
}

function demand(call: string, result: number): void {
  if (result !== 0) throw new Error(`${call} failed (${result})`)
}
