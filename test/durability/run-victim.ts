import { spawn } from 'node:child_process'
import { expect } from 'vitest'
import type { VictimSettings } from './victim.ts'

/** Runs until its death and returns its report of it; undefined when it survived. @param victim its bundled program */
export async function runVictim(victim: string, settings: VictimSettings): Promise<string | undefined> {
  const child = spawn(process.execPath, [victim, JSON.stringify(settings)], { stdio: ['ignore', 'pipe', 'inherit'] })
  let said = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => (said += text))
  const signal = await new Promise((resolve) => child.once('close', (_code, by) => resolve(by)))
  if (signal === 'SIGKILL') return said.trim()
  expect(said.trim()).toBe('survived')
  return undefined
}
