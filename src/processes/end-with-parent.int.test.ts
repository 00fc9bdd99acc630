import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createRequire } from 'node:module'
import { pathToFileURL } from 'node:url'
import { expect, it } from 'vitest'

const tsx = pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href

/** Starts an endless process with a watchdog. @returns the signal that ends it */
async function endOf(given: string): Promise<unknown> {
  const program = `
    import { startProcessWatchdog } from ${JSON.stringify(new URL('./end-with-parent.ts', import.meta.url).href)}
    await startProcessWatchdog(${given})
    for (;;);`
  const child = spawn(process.execPath, ['--import', tsx, '--input-type=module', '--eval', program], {
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const [, signal] = (await once(child, 'exit')) as [unknown, unknown]
  return signal
}

it('ends a process whose parent exited before the first check', async () => {
  expect(await endOf('{ everyMs: 20 }, process.ppid + 1')).toBe('SIGKILL')
})

it('ends a process that takes too much memory', async () => {
  expect(await endOf('{ everyMs: 20, residentMb: 1 }')).toBe('SIGKILL')
})
