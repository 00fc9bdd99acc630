import { describe, expect, it } from 'vitest'
import { readDays, planByRules } from './plan-by-rules.ts'
import { asksToSend, intentOf, writingClause } from './intent.ts'
import { letterIn, subjectIn } from '../../letter.ts'
import { letterOf, searchWords } from './phrases.ts'

const TODAY = '2026-10-31'

describe('what a question asks for', () => {
  it.each([
    ['Find mails from Lena about the returns policy since 1 September', 'search_inbox'],
    ['Which mails did I get last week?', 'search_inbox'],
    ['Check my mail', 'search_inbox'],
    ['Any message from Lena?', 'search_inbox'],
    ['Did Lena send the invoice?', 'none'],
    ['Show the email addresses of all customers', 'none'],
    ['From which warehouse do we send most?', 'none'],
    ['Who sent me mails about the e-mail from support?', 'search_inbox'],
    ['What mails have we sent to Nordbryg this month?', 'search_sent'],
    ['Did I send a mail to Kubelko?', 'search_sent'],
    ['Show my drafts', 'search_drafts'],
    ['Read the latest mail from Nora Bellander', 'read'],
    ['What did Nora Bellander write?', 'read'],
    ['Draft a mail to support with that', 'draft'],
    ['Write to Dara that the invoice is paid', 'draft'],
    ["Prepare a mail to Dara, but don't send it", 'draft'],
    ['Draft a reply to the last mail from Nora', 'draft'],
    ['and e-mail it to dara@example.com', 'send'],
    ['email the report to my manager', 'send'],
    ['Compute the total and then send it to Dara', 'send'],
    ['Draft a mail to Dara and send it', 'send'],
    ['Reply to Nora that we agree', 'reply'],
    ["Answer Nora's mail: we agree", 'reply'],
    ['Forward the mail from Nora to Dara', 'forward'],
  ])('%s → %s', (question, action) => expect(intentOf(question)).toBe(action))
})

describe('whether somebody’s words ask for a mail to leave', () => {
  it.each([
    'Send Dara the numbers',
    'What is in stock? Then please e-mail it to Dara',
    'I want you to send a mail to Dara',
    'Reply to Nora that we agree',
    'Schicke Lena eine Mail mit den Zahlen',
    'Envoie un message à Léna',
  ])('yes: %s', (words) => expect(asksToSend(words)).toBe(true))

  it.each([
    'Draft a mail to Dara',
    'Write a mail to Dara',
    'Did Lena send the invoice?',
    'Which mails were sent to Dara?',
    'Read the mail from the helpdesk',
    'Prepare a mail to Dara but do not send it',
    'Find the e-mail about the send-off party',
    'What does the mail from IT say?',
  ])('no: %s', (words) => expect(asksToSend(words)).toBe(false))
})

describe('the plan without a model', () => {
  it.each([
    ['Find mails from Lena about the returns policy since 1 September', 'from:Lena since:2026-09-01 return policy'],
    ['mails with attachments from Nordbryg about invoices', 'from:Nordbryg has:attachment invoice'],
    ['Search my inbox for cold brew', 'cold brew'],
    ['How many mails did I get in October?', 'since:2026-10-01'],
    ['Show me mails with subject "Torn bags" from yara@cafe.example', 'from:yara@cafe.example subject:"Torn bags"'],
    ['What did Nora Bellander write last week?', 'from:"Nora Bellander" since:2026-10-19 before:2026-10-26'],
    ["Answer Nora's mail about broken bags: we will replace them", 'from:Nora broken bags'],
  ])('looks in %s for %s', (question, query) => expect(planByRules(question, TODAY).query).toBe(query))

  it.each([
    ['Show me the unread mails', 'unread'],
    ['Which mails from suppliers did we get last week?', 'suppliers'],
    ['Show me the mails from our supplier', 'supplier'],
    ['Find mails that are not from Nora', 'not'],
    ['Show the important mails from Nora', 'important'],
    ['Show all newsletters', 'newsletters'],
    ['Which mails have we sent to customers?', 'customers'],
    ['Read the last starred mail from Nora', 'starred'],
    ['Zeig mir Mails von Lena', 'zeig'],
  ])('drops no condition: %s', (question, word) => {
    const { action, reason } = planByRules(question, TODAY)
    expect(action).toBe('none')
    expect(reason).toContain(`“${word}”`)
  })

  it.each([
    ['Draft a reply to the last mail from Nora', true],
    ['Prepare a short, friendly answer to Nora', true],
    ['Draft the reply to Nora', true],
    ['Draft a mail to Nora saying that the answer is 42', false],
    ['E-mail the answer to Nora', false],
  ])('tells an answer from a mail: %s', (question, isReply) => {
    expect(planByRules(question, TODAY).isReply).toBe(isReply)
  })

  it.each([
    ['How many customers are there, and mail the answer to boss@example.com', 'send', ['boss@example.com']],
    ['mail Nora the numbers', 'send', ['Nora']],
    ['Can you mail support@x.example the count?', 'send', ['support@x.example']],
    ['Mail sent by Nora', 'search_inbox', []],
    ['mail Lena wrote me', 'search_inbox', []],
    ['Show me mail Nora sent last week', 'search_inbox', []],
    ['Mail from Nora', 'search_inbox', []],
  ])('tells mail that is to be sent from mail that is looked for: %s', (question, action, to) => {
    expect(intentOf(question)).toBe(action)
    expect(planByRules(question, TODAY).to).toEqual(to)
  })

  it('takes as many as the question says', () => {
    expect(planByRules('Show the last 3 mails', TODAY).limit).toBe(3)
    expect(planByRules('How many mails did I get?', TODAY).limit).toBe(100)
  })
})

describe('days', () => {
  it.each([
    ['since 2026-09-15', { since: '2026-09-15' }],
    ['since September', { since: '2026-09-01' }],
    ['after 3rd of March 2025 and before 1 May 2025', { since: '2025-03-04', before: '2025-05-01' }],
    ['since December', { since: '2025-12-01' }],
    ['since Monday', { since: '2026-10-26' }],
    ['since Saturday', { since: '2026-10-24' }],
    ['from yesterday', { since: '2026-10-30', before: '2026-10-31' }],
    ['yesterday', { since: '2026-10-30', before: '2026-10-31' }],
    ['this week', { since: '2026-10-26' }],
    ['in the last 10 days', { since: '2026-10-22' }],
    ['the past 2 months', { since: '2026-09-01' }],
    ['last month', { since: '2026-09-01', before: '2026-10-01' }],
    ['last year', { since: '2025-01-01', before: '2026-01-01' }],
    ['in February 2024', { since: '2024-02-01', before: '2024-03-01' }],
    ['whenever', {}],
  ])('%s', (words, span) => {
    const { rest, ...found } = readDays(`mails ${words}`, TODAY)
    expect(found).toEqual(span)
    expect(rest).toMatch(/^mails/)
  })
})

describe('the words of a mail', () => {
  it('finds the clause that asks for one', () => {
    expect(
      writingClause('How many orders were late, and what did they cost? Draft a mail to support with that.'),
    ).toEqual({
      before: 'How many orders were late, and what did they cost?',
      clause: 'Draft a mail to support with that.',
    })
  })

  it.each([
    [
      'Send a mail to Lena and Tom Weber, cc Anna Berg, about the count',
      { to: ['Lena', 'Tom Weber'], cc: ['Anna Berg'] },
    ],
    ['Draft a mail to support with that', { to: ['support'], cc: [] }],
    ['E-mail Dara Tolliver the results', { to: ['Dara Tolliver'], cc: [] }],
    ['e-mail it to a@b.example and c@d.example', { to: ['a@b.example', 'c@d.example'], cc: [] }],
    ['send me a summary', { to: ['me'], cc: [] }],
    ['Draft a mail', { to: [], cc: [] }],
  ])('finds whom it is for: %s', (clause, found) => expect(letterIn(clause)).toMatchObject(found))

  it.each([
    ['Write to Dara saying that we ship on Monday', 'We ship on Monday.'],
    ['Write to Dara that we ship on Monday', 'We ship on Monday.'],
    ['Send Dara a mail: "The invoice is paid!"', 'The invoice is paid!'],
    ['Write to Dara asking whether the invoice is paid', 'I would like to ask whether the invoice is paid.'],
    ["Write to Dara that it is paid, but don't send it", 'It is paid.'],
    ['Draft a mail to support with that', undefined],
  ])('finds what it says: %s', (clause, text) => expect(letterIn(clause).said).toBe(text))

  it('searches for topics without little words and plurals', () => {
    expect(searchWords('the returns of our glass crates')).toEqual(['return', 'glass', 'crate'])
  })
})

describe('the subject of a mail', () => {
  it.each([
    ['Send Dara a mail with the subject "New prices" saying hello', 'New prices'],
    ['Send Dara a mail with the subject “New prices”', 'New prices'],
    ['Send Dara a mail with the subject New prices, saying hello', 'New prices'],
    ['Send Dara a mail with subject line New prices and tell her that we ship', 'New prices'],
    ['Draft a mail to Dara, subject: New prices.', 'New prices'],
    ['Draft a mail titled New prices to Dara', 'New prices'],
    ['Draft a mail on the subject of prices', undefined],
    ['Draft a mail to Dara about new prices', undefined],
  ])('%s', (text, subject) => expect(subjectIn(text)).toBe(subject))
})

describe('a question of any shape', () => {
  it.each([
    ['x'.repeat(20_000), 1],
    [`send ${'to a '.repeat(4_000)}`, 1],
    [`mail from ${'Ada '.repeat(4_000)}`, 1],
    [`write to ${'a, '.repeat(4_000)}`, 1],
    ['', 1],
  ])('is read in no time', { timeout: 2_000 }, (question) => {
    expect(planByRules(question, TODAY).action).toBeTypeOf('string')
    expect(letterOf(question).said ?? '').toBeTypeOf('string')
  })
})
