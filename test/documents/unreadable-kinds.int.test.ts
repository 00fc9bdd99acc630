import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createCliWorld, type CliWorld } from '../cli/support.ts'
import { ManualClock } from '../../src/testing/manual-clock.ts'
import { startHttpWorld, type HttpWorld } from '../support/http-server.ts'

/** Unreadable files are reported with a format to convert them to, for every way to add files. */

const OLE = Buffer.from('D0CF11E0A1B11AE1', 'hex')
const FILES = {
  'letter.rtf': [Buffer.from('{\\rtf1 Dear Ada}'), 'DOCX'],
  'mail.msg': [OLE, 'EML'],
  'report.doc': [OLE, 'DOCX'],
} as const

let cli: CliWorld
let http: HttpWorld
let folder: string
beforeAll(async () => {
  cli = await createCliWorld()
  folder = await mkdtemp(join(tmpdir(), 'tutti-kinds-'))
  http = await startHttpWorld({ clock: new ManualClock(), storage: { folder } })
  await mkdir(join(cli.folder, 'old'))
  for (const [name, [bytes]] of Object.entries(FILES)) await writeFile(join(cli.folder, 'old', name), bytes)
})
afterAll(async () => {
  await Promise.all([cli.close(), http.close()])
  await rm(folder, { recursive: true, force: true })
})

async function sent(door: '/upload' | '/attachments', name: keyof typeof FILES): Promise<string> {
  const body = new FormData()
  body.append('file', new File([new Uint8Array(FILES[name][0])], name))
  return JSON.stringify(await http.json<unknown>(door, { method: 'POST', body }))
}

async function said(...args: readonly string[]): Promise<string> {
  const { out, err } = await cli.run(args)
  return out + err
}

const DOORS: Readonly<Record<string, (name: keyof typeof FILES) => Promise<string>>> = {
  'docs add with the file': (name) => said('docs', 'add', `old/${name}`),
  'docs add with its folder': () => said('docs', 'add', 'old'),
  'ask --docs with the file': (name) => said('ask', 'Who wrote the letter?', '--docs', `old/${name}`),
  '/upload': (name) => sent('/upload', name),
  '/attachments': (name) => sent('/attachments', name),
}

it.each(Object.entries(DOORS))('%s', async (_, send) => {
  for (const name of Object.keys(FILES) as (keyof typeof FILES)[]) {
    const line = (await send(name)).split('\n').find((one) => one.includes(name))
    expect(line).toContain(`save it as ${FILES[name][1]} and add that`)
  }
})
