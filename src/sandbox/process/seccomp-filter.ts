import { filterProgram, systemCalls, type FilterArch } from '../seccomp-program.ts'

/**
 * System calls that the interpreter needs once everything is loaded: memory, waiting, time, and its open pipes. None of
 * them can open a file, create a socket or start a process. Numbers from the kernel's syscall tables; -1: not on this
 * one.
 */
export const INTERPRETER_CALLS = systemCalls(`
  read 0 63, write 1 64, close 3 57, fstat 5 80, poll 7 -1, ppoll 271 73, lseek 8 62, mmap 9 222, mprotect 10 226,
  munmap 11 215, brk 12 214, rt_sigaction 13 134, rt_sigprocmask 14 135, rt_sigreturn 15 139, readv 19 65,
  writev 20 66, sched_yield 24 124, mremap 25 216, madvise 28 233, nanosleep 35 101, getpid 39 172, exit 60 93,
  uname 63 160, gettimeofday 96 169, getrusage 98 165, sysinfo 99 179, sigaltstack 131 132, gettid 186 178,
  time 201 -1, futex 202 98, sched_getaffinity 204 123, restart_syscall 219 128, clock_gettime 228 113,
  clock_getres 229 114, clock_nanosleep 230 115, exit_group 231 94, epoll_wait 232 -1, epoll_ctl 233 21,
  set_robust_list 273 99, epoll_pwait 281 22, getrandom 318 278, membarrier 324 283, pkey_mprotect 329 288,
  rseq 334 293, epoll_pwait2 441 441
`)

/** Calls that nothing honest makes. */
export const KILLING_CALLS = systemCalls(`
  socket 41 198, connect 42 203, sendto 44 206, bind 49 200, listen 50 201, socketpair 53 199, fork 57 -1,
  vfork 58 -1, execve 59 221, kill 62 129, ptrace 101 117, setuid 105 146, pivot_root 155 41, chroot 161 51,
  mount 165 40, init_module 175 105, tkill 200 130, kexec_load 246 104, keyctl 250 219, unshare 272 97,
  perf_event_open 298 241, setns 308 268, process_vm_readv 310 270, process_vm_writev 311 271, finit_module 313 273,
  memfd_create 319 279, bpf 321 280, execveat 322 281, userfaultfd 323 282, pidfd_send_signal 424 424,
  io_uring_setup 425 425, pidfd_open 434 434
`)

/** The filter for Pyodide's process: an array of `struct sock_filter`, eight bytes each (seccomp(2)). */
export function seccompFilter(arch: FilterArch): Buffer {
  return filterProgram(arch, { allowed: INTERPRETER_CALLS, killing: KILLING_CALLS })
}
