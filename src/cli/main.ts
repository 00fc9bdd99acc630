#!/usr/bin/env node
import { systemClock } from '../shared/clock.ts'
import type { Cli } from './cli.ts'
import { EXIT } from './exit-codes.ts'
import { createOutput } from './output.ts'
import { runCli } from './program.ts'

/** The process as the commands see it, and the only file of the command line that touches it. */
const cli: Cli = {
  out: createOutput(process.stdout, process.env),
  err: createOutput(process.stderr, process.env),
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
      const stop = (): void => {
        // A second signal of either kind finds no listener and ends the process.
        for (const one of signals) process.off(one, stop)
        resolve()
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
