declare module 'cross-spawn' {
  import type { ChildProcessWithoutNullStreams, SpawnOptions } from 'node:child_process'

  /** `spawn` of Node.js, which also starts scripts on Windows. @param options with `stdio: 'pipe'` */
  export default function spawn(
    command: string,
    args: readonly string[],
    options: SpawnOptions & { readonly stdio: 'pipe' },
  ): ChildProcessWithoutNullStreams
}
