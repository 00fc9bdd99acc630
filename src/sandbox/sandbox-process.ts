import { closeSync, constants } from 'node:fs'
import { makeSnapshot, startInterpreter, type Interpreter } from './process/interpreter.ts'
import { loadKernel } from './process/kernel.ts'
import { shimBinding, stripGlobals } from './process/lockdown.ts'
import { createWriter, readDescriptor } from './process/stdio.ts'
import { watchParent } from './process/watchdog.ts'
import { READY, REPLY_DESCRIPTOR, SNAPSHOT_DESCRIPTOR, type ChildConfig, type WireJob, type WireReply } from './wire.ts'

/**
 * The program of a process that runs one piece of Python and is then killed. It loads everything, locks itself in, says that
 * it is ready and waits; no code from outside runs before the lock. It never ends by itself while its parent lives.
 */
const config = JSON.parse(process.argv.at(-1)!) as ChildConfig
const { pyodideUrl, pyodideFolder, kernel, user, outputBytes } = config
const parent = process.ppid
const write = createWriter(REPLY_DESCRIPTOR)
const encoder = new TextEncoder()
const { parse, stringify } = JSON
const input = process.stdin
const exit = process.exit.bind(process)

// Python shows the command line as its own.
process.argv.splice(1, Infinity, 'python')
shimBinding(constants)
if (config.mode === 'snapshot') {
  write(await makeSnapshot(pyodideUrl, pyodideFolder))
  exit(0)
}
const binding = kernel === undefined ? undefined : await loadKernel(kernel.koffiUrl, kernel.arch)
const snapshot = readDescriptor(SNAPSHOT_DESCRIPTOR)
closeSync(SNAPSHOT_DESCRIPTOR)
const interpreter = await startInterpreter(pyodideUrl, pyodideFolder, snapshot, outputBytes)

if (user !== undefined) {
  process.setgroups!([])
  process.setgid!(user)
  process.setuid!(user)
}
// After the change of user, which would undo it; the parent may have gone before.
if (kernel === undefined) await watchParent()
else {
  binding?.dieWithParent()
  binding?.limit(kernel.cpuSeconds)
}
if (process.ppid !== parent) exit(1)

let received = ''
input.setEncoding('utf8')
input.on('data', (piece: string) => void (received += piece))
input.on('end', () => (received === '' ? exit(0) : answer(interpreter, parse(received) as WireJob)))
stripGlobals()
binding?.filterCalls()
write(encoder.encode(`${READY}\n`))

function answer({ run, stdout, stderr }: Interpreter, { nonce, code, data, limits }: WireJob): void {
  let outcome: Pick<WireReply, 'report' | 'crash'>
  try {
    outcome = { report: run(code, data, limits) }
  } catch (error) {
    outcome = { crash: error instanceof Error ? error.message.slice(-500) : 'unknown' }
  }
  const truncated = stdout.truncated || stderr.truncated
  const reply: WireReply = { nonce, ...outcome, stdout: stdout.text, stderr: stderr.text, truncated }
  write(encoder.encode(`${stringify(reply)}\n`))
}
