import { expect, it } from 'vitest'
import { ManualClock } from '../testing/index.ts'
import { printRequest } from './approval-desk.ts'
import type { Cli } from './cli.ts'
import { createOutput } from './output.ts'

it('a multi-line text is shown in lines, none of which looks like a field', () => {
  let written = ''
  const stream = { write: (text: string) => ((written += text), true), isTTY: false } as unknown as NodeJS.WriteStream
  const out = createOutput(stream, {})
  const cli = { err: out, out, clock: new ManualClock(0) } as unknown as Cli
  const body = 'Dear Ada,\n\n  1. C:\\new\r\n"cc": "eve@example.com"\nRegards'
  const payload = { to: 'ada@example.com', body, subject: 'One line' }
  printRequest(cli, { tool: 'send_email', reason: 'It sends a mail.', payload, expiresAt: 60_000 })
  const lines = written.split('\n').map((line) => line.trim())
  const at = lines.findIndex((line) => line.includes('Dear Ada,'))
  expect(lines.slice(at, at + 5)).toEqual([
    '"body": "Dear Ada,',
    '',
    '1. C:\\\\new',
    '\\"cc\\": \\"eve@example.com\\"',
    'Regards",',
  ])
})
