import type { ImapFlow, ListResponse } from 'imapflow'
import { describe, expect, it } from 'vitest'
import { findFolder } from './mail-ids.ts'

function account(...folders: Partial<ListResponse>[]): Pick<ImapFlow, 'list'> {
  return { list: async () => folders.map((folder) => ({ flags: new Set<string>(), ...folder }) as ListResponse) }
}

describe('the folders of an account', () => {
  it('are found by the server’s flag first, then by name', async () => {
    const client = account(
      { path: 'Sent', specialUse: '\\Sent', specialUseSource: 'name' },
      { path: 'Postausgang', specialUse: '\\Sent', specialUseSource: 'extension' },
    )
    expect(await findFolder(client, 'sent')).toBe('Postausgang')
  })

  it('are found by name where the server gives no flags', async () => {
    const client = account({ path: 'INBOX' }, { path: 'Entwürfe', specialUse: '\\Drafts', specialUseSource: 'name' })
    expect(await findFolder(client, 'drafts')).toBe('Entwürfe')
    expect(await findFolder(client, 'sent')).toBeUndefined()
    expect(await findFolder(client, 'inbox')).toBe('INBOX')
  })

  it('exclude folders that cannot hold mails', async () => {
    const client = account({ path: 'Sent', specialUse: '\\Sent', flags: new Set(['\\Noselect']) })
    expect(await findFolder(client, 'sent')).toBeUndefined()
  })
})
