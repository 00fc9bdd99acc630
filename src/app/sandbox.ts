import { join } from 'node:path'
import type { SandboxOptions } from '../sandbox/sandbox.ts'
import type { Checked } from './check-options.ts'
import { omitUndefined } from '../shared/json.ts'
import { folderOf } from './storage.ts'

/** Configuration of the Python sandbox. Files that are built once are cached in the data folder. */
export function sandboxOptions(options: Checked): SandboxOptions {
  const folder = folderOf(options)
  return {
    ...(folder === undefined ? {} : { cacheDir: join(folder, 'cache') }),
    ...omitUndefined(options.config.sandbox),
  }
}
