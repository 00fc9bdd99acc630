import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createDemoDatabase, writeDemoMailbox } from './demo-data.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tutti-copy-'))
})
afterAll(() => rm(folder, { recursive: true }))

describe('createDemoDatabase', () => {
  it('replaces a file and leaves no draft behind', async () => {
    const nested = join(folder, 'not', 'there', 'yet')
    await createDemoDatabase(join(nested, 'demo.sqlite'))
    await writeFile(join(nested, 'demo.sqlite'), 'not a database')
    await createDemoDatabase(join(nested, 'demo.sqlite'))
    expect(await readdir(nested)).toEqual(['demo.sqlite'])
    expect((await readFile(join(nested, 'demo.sqlite'))).subarray(0, 15).toString()).toBe('SQLite format 3')
  })

  it('fails and leaves no draft behind where it cannot write', async () => {
    await writeFile(join(folder, 'file'), '')
    await expect(createDemoDatabase(join(folder, 'file', 'below-a-file.sqlite'))).rejects.toThrow(/ENOTDIR|EEXIST/)
    const occupied = join(folder, 'occupied')
    await createDemoDatabase(join(occupied, 'inside.sqlite'))
    await expect(createDemoDatabase(occupied)).rejects.toThrow(/EISDIR|EEXIST|ENOTEMPTY|EPERM/)
    expect((await readdir(folder)).filter((name) => name.endsWith('.tmp'))).toEqual([])
  })
})

describe('writeDemoMailbox', () => {
  const mails = async (): Promise<string[]> => {
    const files = await readdir(join(folder, 'mailbox'), { recursive: true, withFileTypes: true })
    return files.filter((file) => file.isFile()).map((file) => join(file.parentPath, file.name))
  }

  it('replaces a mailbox', async () => {
    await writeDemoMailbox(join(folder, 'mailbox'))
    const before = await mails()
    await writeFile(join(folder, 'mailbox', 'cur', '1.stranger:2,S'), 'Subject: not of the demo\n\nHello')
    await writeDemoMailbox(join(folder, 'mailbox'))
    expect(await mails()).toEqual(before)
  })

  it('writes a Maildir whose files have flags and the time of their mail', async () => {
    await writeDemoMailbox(join(folder, 'mailbox'))
    for (const place of ['.', '.Sent', '.Drafts'])
      expect(await readdir(join(folder, 'mailbox', place))).toEqual(expect.arrayContaining(['cur', 'new', 'tmp']))
    for (const path of await mails()) {
      expect(path).toMatch(/\.brindlemoor:2,(|S|DS)$/)
      const sent = /^Date: (.*)$/m.exec(await readFile(path, 'utf8'))![1]!
      expect((await stat(path)).mtime).toEqual(new Date(sent))
    }
  })
})
