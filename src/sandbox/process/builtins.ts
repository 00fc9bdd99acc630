/** The parts of Pyodide's own module that are used here; undocumented, and the version is pinned. */
export interface PyodideModule {
  readonly HEAPU8: Uint8Array
  readonly HEAPU32: Uint32Array
  /** Addresses of the C variables of these names. */
  readonly _PyImport_Inittab: number
  readonly __PyRuntime: number
}

/**
 * Modules in C that lead out of the interpreter or into its insides: the bridge to JavaScript, foreign functions, sockets,
 * processes, terminals, memory by address. Names of CPython's and Pyodide's tables of built-in modules; a star: all that begin
 * so.
 */
const REMOVED = (
  '_pyodide_core _ctypes _socket _ssl _posixsubprocess _remote_debugging fcntl termios mmap select resource faulthandler ' +
  '_test* _xxtestfuzz'
).split(' ')

/** The table of built-in modules is within this range; in 314.0 at about 600 bytes. */
const RUNTIME_BYTES = 400_000
/** Of an entry: the address of the name, the address of the function. */
const ENTRY_WORDS = 2

/**
 * Removes modules from the interpreter's table of built-in modules, so that no import can create them again.
 * @throws Error if the table is not at its expected place; then no code must run
 */
export function removeBuiltins({ HEAPU8, HEAPU32, _PyImport_Inittab, __PyRuntime }: PyodideModule): void {
  const nameAt = (word: number): string => {
    const start = HEAPU32[word]!
    return new TextDecoder().decode(HEAPU8.slice(start, HEAPU8.indexOf(0, start)))
  }
  // The interpreter made a copy for itself when it started, and knows the address alone; the first is cleaned as well.
  const given = HEAPU32[_PyImport_Inittab >>> 2]! >>> 2
  const used = findCopy(HEAPU32, given, __PyRuntime >>> 2)
  for (const table of new Set([given, used])) {
    let kept = table
    for (let entry = table; HEAPU32[entry] !== 0; entry += ENTRY_WORDS) {
      if (isRemoved(nameAt(entry))) continue
      HEAPU32.copyWithin(kept, entry, entry + ENTRY_WORDS)
      kept += ENTRY_WORDS
    }
    for (let entry = kept; HEAPU32[entry] !== 0; entry += ENTRY_WORDS) HEAPU32.fill(0, entry, entry + ENTRY_WORDS)
  }
}

function isRemoved(name: string): boolean {
  return REMOVED.some((removed) => (removed.endsWith('*') ? name.startsWith(removed.slice(0, -1)) : name === removed))
}

/** Position of the runtime's own copy of the table, in words. */
function findCopy(words: Uint32Array, given: number, runtime: number): number {
  const head = words.slice(given, given + 4 * ENTRY_WORDS)
  for (let at = runtime; at < runtime + RUNTIME_BYTES / 4; at++) {
    const table = words[at]! >>> 2
    if (table !== 0 && words[at]! % 4 === 0 && head.every((word, i) => words[table + i] === word)) return table
  }
  throw new Error('the table of built-in modules was not found in this version of Pyodide')
}
