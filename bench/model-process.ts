import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ModelRequest, Rule } from '../src/testing/model-server.ts'

/** A scripted model in a process of its own, so that its time is not counted. */
export async function startModelProcess(rules: readonly Rule[]) {
  const folder = await mkdtemp(join(tmpdir(), 'tutti-bench-model-'))
  const script = join(folder, 'script.json')
  await writeFile(script, JSON.stringify(rules))
  const program = join(process.cwd(), 'test/support/model-server.ts')
  const child = spawn(process.execPath, ['--import', 'tsx', program, script], { stdio: ['ignore', 'pipe', 'inherit'] })
  const [line] = (await once(child.stdout, 'data')) as [Buffer]
  await rm(folder, { recursive: true })
  const url = line.toString().trim()
  return {
    url,
    requests: async () => (await (await fetch(`${url}/requests`)).json()) as readonly ModelRequest[],
    close: () => child.kill(),
  }
}
