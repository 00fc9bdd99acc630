// Soak test: kills parents of sandboxes.
import { spawn } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { pathToFileURL } from 'node:url'
import { temporaryFolder } from '../../test/support/temporary-folder.ts'
import { describe, expect, it } from 'vitest'

const tsx = pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href
const folder = temporaryFolder()

/** A program that starts an endless job beside a waiting process, and reports when both run. */
function startParent(platform: string): Promise<{ kill(): void; children: readonly Process[] }> {
  const program = `
    import { createSandbox } from ${JSON.stringify(new URL('./sandbox.ts', import.meta.url).href)}
    import { systemClock } from ${JSON.stringify(new URL('../shared/clock.ts', import.meta.url).href)}
    const sandbox = createSandbox(
      { cacheDir: ${JSON.stringify(folder)}, allowWeakIsolation: true },
      { clock: systemClock, ...${platform} },
    )
    sandbox.run({ code: 'while True: pass', timeoutMs: 600_000 }).catch(() => undefined)
    await sandbox.warm()
    await sandbox.warm()
    console.log('started')`
  const parent = spawn(process.execPath, ['--import', tsx, '--input-type=module', '--eval', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  return new Promise((resolve, reject) => {
    parent.once('exit', () => reject(new Error('the parent ended too early')))
    parent.stdout.on('data', () =>
      resolve({ kill: () => void parent.kill('SIGKILL'), children: childrenOf(parent.pid!) }),
    )
  })
}

/** A number alone may be given to another process soon. */
interface Process {
  readonly pid: string
  readonly parent: number
  readonly startedAt: string
}

function childrenOf(parent: number): Process[] {
  return readdirSync('/proc').flatMap((name) => {
    const found = /^\d+$/.test(name) ? processOf(name) : undefined
    return found?.parent === parent ? [found] : []
  })
}

function processOf(pid: string): Process | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return fields[0] === 'Z' ? undefined : { pid, parent: Number(fields[1]), startedAt: fields[19]! }
  } catch {
    return undefined
  }
}

const isThere = ({ pid, startedAt }: Process): boolean => processOf(pid)?.startedAt === startedAt

describe.skipIf(process.platform !== 'linux')('when the program is killed (looked up in /proc of Linux)', () => {
  it.each([
    ['strong', '{}'],
    ['weak', `{ platform: { os: 'freebsd', arch: process.arch, isRoot: process.getuid() === 0 } }`],
  ])('no process remains under %s isolation', async (_level, platform) => {
    const { kill, children } = await startParent(platform)
    expect(children.length).toBeGreaterThanOrEqual(1)
    kill()
    while (children.some(isThere)) await new Promise((resolve) => setTimeout(resolve, 20))
    expect(children.filter(isThere)).toEqual([])
  })
})
