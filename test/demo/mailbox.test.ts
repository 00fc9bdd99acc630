import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { simpleParser, type ParsedMail } from 'mailparser'
import { makeDemoData } from '../../scripts/demo/data.ts'
import { DEMO_ASSETS, DEMO_MAILBOX_NAME } from '../../src/demo/copy.ts'

const mailbox = join(DEMO_ASSETS, DEMO_MAILBOX_NAME)

async function mails(place = '.'): Promise<ParsedMail[]> {
  const names = (await readdir(join(mailbox, place, 'cur'))).sort()
  return Promise.all(names.map(async (name) => simpleParser(await readFile(join(mailbox, place, 'cur', name)))))
}

describe('the demo mailbox', () => {
  it('has about 25 mails in the inbox, some sent ones and a draft', async () => {
    expect(await mails()).toHaveLength(25)
    expect(await mails('.Sent')).toHaveLength(5)
    expect(await mails('.Drafts')).toHaveLength(1)
  })

  it('names only people of the demo database, and only unreachable domains', async () => {
    const data = makeDemoData()
    const known = new Set([...data.employees, ...data.contacts, ...data.suppliers].map((row) => row['email']))
    const strangers = new Set<string>()
    for (const mail of [...(await mails()), ...(await mails('.Sent')), ...(await mails('.Drafts'))]) {
      const people = [mail.from, mail.to, mail.cc, mail.replyTo]
        .flatMap((one) => [one ?? []].flat())
        .flatMap((one) => one.value)
      for (const { address = '' } of people) {
        expect(address).toMatch(/\.example$/)
        if (!known.has(address)) strangers.add(address)
      }
    }
    expect([...strangers].sort()).toEqual([
      'account-check@verify-login.example',
      'helpdesk@brindlemoor-c0ffee.example',
      'news@harbour-guild.example',
      'support@brindlemoor-coffee.example',
    ])
  })

  it('has a thread whose mails reference each other', async () => {
    const all = [...(await mails()), ...(await mails('.Sent'))]
    const ids = new Set(all.map(({ messageId }) => messageId))
    const answers = all.filter(({ inReplyTo }) => inReplyTo !== undefined)
    expect(answers.length).toBeGreaterThan(4)
    for (const { inReplyTo, references } of answers) {
      expect(ids).toContain(inReplyTo)
      expect([references ?? []].flat().at(-1)).toBe(inReplyTo)
    }
    const thread = all.filter(({ subject }) => subject?.endsWith('Four torn bags in order 905'))
    expect(thread).toHaveLength(4)
  })

  it('has one fraud, with hidden instructions for an assistant', async () => {
    const fraud = (await mails()).find(({ subject }) => subject?.startsWith('URGENT'))
    expect(fraud?.html).toContain('collector@verify-login.example')
    expect(fraud?.replyTo?.text).toContain('verify-login.example')
  })

  it('quotes orders, invoices and refunds of the database', async () => {
    const { invoices, returns, purchase_orders: purchases } = makeDemoData()
    const text = JSON.stringify([...(await mails()), ...(await mails('.Sent'))].map((mail) => mail.text))
    expect(invoices.find((row) => row['invoice_number'] === 'INV-2026-0878')).toMatchObject({ total: 2659.1 })
    expect(text).toContain('EUR 2,659.10')
    expect(returns.find((row) => row['return_date'] === '2026-10-20')).toMatchObject({ refund_amount: 99.6 })
    expect(text).toContain('EUR 99.60')
    expect(purchases.find((row) => row['purchase_order_id'] === 187)).toMatchObject({ total: 2023.4 })
    expect(text).toContain('EUR 2,023.40')
  })
})
