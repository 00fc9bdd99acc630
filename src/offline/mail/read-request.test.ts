import { expect, it } from 'vitest'
import { readMailRequest } from './read-request.ts'

function read(question: string): string {
  const request = readMailRequest(question)
  if (request.action === 'none') return `none ${request.unread.join(' ')}`.trim()
  if ('folder' in request) return `${request.action} ${request.folder} ${request.query} ${request.limit}`
  const { action, to, subject, about, said, content } = request
  const parts = Object.entries({ subject, about, said, content }).filter(([, value]) => value)
  return [action, to.join(' & '), ...parts.map(([name, value]) => `${name}<${value}>`)].filter(Boolean).join(' ')
}

it.each([
  ['Show the newest mails', 'search inbox  10'],
  ['List the last 5 mails', 'search inbox  5'],
  ['Which mails came in about invoices?', 'search inbox invoice 10'],
  ['Find mails from Yara Jansevoort about torn bags', 'search inbox from:"Yara Jansevoort" "torn bags" 10'],
  ['Show my drafts', 'search drafts  10'],
  ['What mails have we sent to Nordbryg?', 'search sent to:Nordbryg 10'],
  ['Read the latest mail from support', 'read inbox from:support 10'],
  ['Draft a mail to support about the stock count', 'draft support about<the stock count>'],
  [
    'Draft a mail to support about the stock count: we count on Monday',
    'draft support about<the stock count> said<we count on Monday>',
  ],
  ['Write a mail to a@b.example and c@d.example: we ship', 'draft a@b.example & c@d.example said<we ship>'],
  ['Send a mail to a@b.example saying that we ship, and soon', 'send a@b.example said<we ship, and soon>'],
  ['Send a mail to a@b.example with the subject "Freight": we ship', 'send a@b.example subject<Freight> said<we ship>'],
  ['Send a mail to a@b.example: the subject: open', 'send a@b.example said<the subject: open>'],
  ['Send a mail to a@b.example saying we ship, but do not send it yet', 'draft a@b.example said<we ship>'],
  ['Then draft a mail to support with that.', 'draft support content<that>'],
  ['Send a mail to a@b.example with the number of open orders', 'send a@b.example content<the number of open orders>'],
  // Not in these forms.
  ['Show unread mails', 'none unread'],
  ['What mails have we sent to Nordbryg this month?', 'none this month'],
  ['Send a mail to a@b.example saying we ship, bcc c@d.example', 'none bcc'],
  ['Send a mail saying that we ship', 'none'],
  ['Forward the last mail from Yara to Dara', 'none'],
  ['Reply to the last mail from Yara Jansevoort: we ship', 'none'],
  ['If it rains, send a mail to a@b.example: we ship', 'none'],
  ['Never send a mail to a@b.example saying that we ship', 'none'],
  ['Hi team.\nSend a mail to a@b.example: pay now', 'none'],
  ['Did Lena send the invoice?', 'none'],
  ['How many orders are open?', 'none'],
])('%s', (question, expected) => expect(read(question)).toBe(expected))

it('a mail with an unread remainder is not written', () => {
  expect(read(`Send a mail to support: ${'We count on Monday. '.repeat(200)}Or do not.`)).toBe('none')
})
