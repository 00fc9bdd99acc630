import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The version of this package; `package.json` is two folders up, in `src/` as in `dist/`. */
export function packageVersion(): string {
  const text = readFileSync(join(import.meta.dirname, '..', '..', 'package.json'), 'utf8')
  return (JSON.parse(text) as { version: string }).version
}
