/** Walks a filter as the kernel would for one call, and gives its verdict. Throws when it runs over the end. */
export function verdictOf(
  program: Buffer,
  number: number,
  audit: number,
  firstArguments: readonly number[] = [],
): number {
  const data: Readonly<Record<number, number>> = {
    0: number,
    4: audit,
    ...Object.fromEntries(firstArguments.map((value, i) => [16 + 8 * i, value])),
  }
  let accumulator = 0
  for (let i = 0; ; i++) {
    const code = program.readUInt16LE(i * 8)
    const [jumpTrue, jumpFalse, value] = [program[i * 8 + 2]!, program[i * 8 + 3]!, program.readUInt32LE(i * 8 + 4)]
    if (code === 0x06) return value
    if (code === 0x20) accumulator = data[value] ?? 0
    else if (code === 0x54) accumulator = (accumulator & value) >>> 0
    else i += (code === 0x15 ? accumulator === value : accumulator >= value) ? jumpTrue : jumpFalse
  }
}
