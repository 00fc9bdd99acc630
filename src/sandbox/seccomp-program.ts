/** Architectures with a filter, by the names of `process.arch`. */
export type FilterArch = 'x64' | 'arm64'

/** Numbers of system calls by name, from the kernel's tables; -1: not on this one. */
export type SystemCalls = Readonly<Record<string, readonly [x64: number, arm64: number]>>

/** Reads a table of them: name, number on x64, number on arm64, parted by commas. */
export function systemCalls(table: string): SystemCalls {
  const rows = table.split(',').map((row) => row.trim().split(/\s+/))
  return Object.fromEntries(rows.map(([name, x64, arm64]) => [name!, [Number(x64), Number(arm64)] as const]))
}

export interface FilterRules {
  readonly allowed: SystemCalls
  /** Calls that nothing honest makes: they end the process, so that the attempt is reported. All others fail with EPERM. */
  readonly killing: SystemCalls
  /** Calls allowed with some values of their second argument alone; with others they fail as if there were no such thing. */
  readonly bySecondArgument?: readonly ArgumentRule[]
  /** Calls allowed unless their fourth argument has all of some bits. */
  readonly byFourthArgument?: readonly BitsRule[]
}

export interface BitsRule {
  readonly call: readonly [x64: number, arm64: number]
  readonly bits: number
  readonly errno: number
}

export interface ArgumentRule {
  readonly call: readonly [x64: number, arm64: number]
  readonly values: readonly number[]
  readonly errno: number
}

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
const OFFSET_SECOND_ARGUMENT = 24
const OFFSET_FOURTH_ARGUMENT = 40
const CLONE_THREAD = 0x10000
const X32_BIT = 0x40000000

const AUDIT_ARCH: Readonly<Record<FilterArch, number>> = { x64: 0xc000003e, arm64: 0xc00000b7 }
const CLONE: readonly [number, number] = [56, 220]
const CLONE3 = 435

/** The number of seccomp(2) itself. */
export const SYS_SECCOMP: Readonly<Record<FilterArch, number>> = { x64: 317, arm64: 277 }

type Instruction = readonly [code: number, jumpTrue: number, jumpFalse: number, value: number]

/**
 * A filter in the kernel's format: an array of `struct sock_filter`, eight bytes each (seccomp(2)). New threads are
 * allowed; an attempt to create a process kills the caller.
 */
export function filterProgram(
  arch: FilterArch,
  { allowed, killing, bySecondArgument = [], byFourthArgument = [] }: FilterRules,
): Buffer {
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
    ...numbers(allowed).flatMap((number) => whenEqual(number, ALLOW)),
    ...numbers(killing).flatMap((number) => whenEqual(number, KILL_PROCESS)),
    ...bySecondArgument.flatMap((rule) => whenArgument(rule, column)),
    ...byFourthArgument.flatMap((rule) => unlessBits(rule, column)),
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

function whenArgument({ call, values, errno }: ArgumentRule, column: 0 | 1): Instruction[] {
  const decision: Instruction[] = [
    [LOAD_WORD, 0, 0, OFFSET_SECOND_ARGUMENT],
    ...values.flatMap((value) => whenEqual(value, ALLOW)),
    [RETURN, 0, 0, ERRNO | errno],
  ]
  return [[JUMP_IF_EQUAL, 0, decision.length, call[column]], ...decision]
}

function unlessBits({ call, bits, errno }: BitsRule, column: 0 | 1): Instruction[] {
  return [
    [JUMP_IF_EQUAL, 0, 5, call[column]],
    [LOAD_WORD, 0, 0, OFFSET_FOURTH_ARGUMENT],
    [AND, 0, 0, bits],
    ...whenEqual(bits, ERRNO | errno),
    [RETURN, 0, 0, ALLOW],
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
