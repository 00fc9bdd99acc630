#!/usr/bin/env node
import { mkdirSync, realpathSync, statSync } from 'node:fs'
import module from 'node:module'
import { homedir } from 'node:os'
import { dirname, isAbsolute, join } from 'node:path'
import { systemClock } from '../shared/clock.ts'
import type { Cli } from './cli.ts'
import { EXIT } from './exit-codes.ts'
import { createOutput } from './output.ts'
import { runCli } from './program.ts'
import { ownCommand } from './own-command.ts'

keepCompiled()

/** The process as the commands see it, and the only file of the command line that touches it. */
const cli: Cli = {
  out: createOutput(process.stdout, process.env),
  err: createOutput(process.stderr, process.env),
  self: ownCommand({ script: process.argv[1] ?? 'tutti', env: process.env, cwd: process.cwd() }),
  stdin: process.stdin,
  env: process.env,
  cwd: process.cwd(),
  globals: {},
  clock: systemClock,
  onInterrupt: (listener) => {
    process.on('SIGINT', listener)
    return () => void process.off('SIGINT', listener)
  },
  untilStopped: () =>
    new Promise((resolve) => {
      const signals = ['SIGINT', 'SIGTERM'] as const
      const stop = (signal: NodeJS.Signals): void => {
        // A second signal of either kind finds no listener and ends the process.
        for (const one of signals) process.off(one, stop)
        resolve(signal as (typeof signals)[number])
      }
      for (const one of signals) process.on(one, stop)
    }),
  kill: (code) => process.exit(code),
}

for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(EXIT.brokenPipe)
    if (stream === process.stdout) cli.err.line(`tutti: The output could not be written: ${error.message}.`)
    process.exit(EXIT.configuration)
  })
}

// Hide Node.js warnings about experimental and deprecated features, which are for developers of Tutti.
process.removeAllListeners('warning')
process.on('warning', (warning) => {
  if (warning.name !== 'ExperimentalWarning' && warning.name !== 'DeprecationWarning') {
    cli.err.line(`Warning: ${warning.message}`)
  }
})

const code = await runCli(process.argv.slice(2), cli)
// Output to a pipe may not be flushed yet.
await Promise.all([process.stdout, process.stderr].map((stream) => new Promise((done) => stream.write('', done))))
process.exit(code)

/** Node 22 and newer cache compiled code, which saves short commands a tenth of their time. */
function keepCompiled(): void {
  const { enableCompileCache: keepIn } = module as { enableCompileCache?: (folder: string) => unknown }
  if (keepIn === undefined) return
  try {
    const folder = join(process.env['XDG_CACHE_HOME'] || join(homedir(), '.cache'), 'tutti')
    if (!isAbsolute(folder)) return
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    if (isOwnedExclusively(folder)) keepIn(folder)
  } catch {
    // No home, or one that cannot be written to, costs only the time.
  }
}

/** The cache is executed code, so no other user may write to it or replace a parent folder. */
function isOwnedExclusively(folder: string): boolean {
  const me = process.getuid?.()
  const { uid, mode } = statSync(folder)
  if (uid !== me || (mode & 0o077) !== 0 || realpathSync(folder) !== folder) return false
  for (let at = dirname(folder); ; at = dirname(at)) {
    const above = statSync(at)
    // Where many may write, as in /tmp, the sticky bit keeps each to his own.
    const isWritable = (above.mode & 0o022) !== 0 && (above.mode & 0o1000) === 0
    if (isWritable || (above.uid !== me && above.uid !== 0)) return false
    if (at === dirname(at)) return true
  }
}
