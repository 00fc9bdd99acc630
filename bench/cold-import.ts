import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { median } from './measure.ts'

const run = promisify(execFile)

/** Milliseconds that a fresh Node takes to import the built library; undefined where it is not built. */
export async function coldImport(times = 7): Promise<number | undefined> {
  const entry = resolve('dist/index.js')
  if (!existsSync(entry)) return undefined
  const program = `const start = performance.now(); await import(${JSON.stringify(pathToFileURL(entry).href)}); console.log(performance.now() - start)`
  const found: number[] = []
  for (let i = 0; i < times; i++) {
    const { stdout } = await run(process.execPath, ['--input-type=module', '--eval', program])
    found.push(Number(stdout))
  }
  return median(found)
}
