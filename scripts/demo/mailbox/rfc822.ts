import type { DemoMail } from './mails.ts'

const DOMAIN = 'mail.brindlemoor-coffee.example'
const BOUNDARY = 'brindlemoor-part'

/** A mail as RFC 5322 text. Lines end in LF, as in a Maildir. */
export function rfc822(mail: DemoMail): string {
  const { id, from, to, cc, replyTo, sentAt, subject, thread = [], attachment } = mail
  const headers = [
    `Message-ID: ${messageId(id)}`,
    `Date: ${mailDate(sentAt)}`,
    `From: ${encodedAddress(from)}`,
    `To: ${encodedAddress(to)}`,
    ...(cc === undefined ? [] : [`Cc: ${encodedAddress(cc)}`]),
    ...(replyTo === undefined ? [] : [`Reply-To: ${replyTo}`]),
    `Subject: ${encodedWord(subject)}`,
    ...(thread.length === 0 ? [] : [`In-Reply-To: ${messageId(thread.at(-1)!)}`]),
    ...(thread.length === 0 ? [] : [`References: ${thread.map(messageId).join(' ')}`]),
    'MIME-Version: 1.0',
  ]
  const [type, body] = mail.html === undefined ? ['text/plain', mail.text] : ['text/html', mail.html]
  const part = `Content-Type: ${type}; charset=utf-8\nContent-Transfer-Encoding: 8bit\n\n${body}\n`
  if (attachment === undefined) return `${headers.join('\n')}\n${part}`
  return [
    ...headers,
    `Content-Type: multipart/mixed; boundary="${BOUNDARY}"`,
    '',
    `--${BOUNDARY}`,
    part.trimEnd(),
    `--${BOUNDARY}`,
    `Content-Type: ${attachment.type}; charset=utf-8`,
    `Content-Disposition: attachment; filename="${attachment.name}"`,
    'Content-Transfer-Encoding: base64',
    '',
    Buffer.from(attachment.content).toString('base64'),
    `--${BOUNDARY}--`,
    '',
  ].join('\n')
}

function messageId(id: string): string {
  return `<${id}@${DOMAIN}>`
}

/** `Tue, 20 Oct 2026 15:48:00 +0000` (RFC 5322, section 3.3). */
function mailDate(sentAt: string): string {
  return new Date(`${sentAt.replace(' ', 'T')}:00Z`).toUTCString().replace('GMT', '+0000')
}

function encodedAddress(text: string): string {
  const [, name = '', address = text] = /^(.*) <(.+)>$/.exec(text) ?? []
  if (name === '') return address
  const written = encodedWord(name)
  return `${written === name && /[,.]/.test(name) ? `"${name}"` : written} <${address}>`
}

/** RFC 2047, for anything that is not ASCII. */
function encodedWord(text: string): string {
  return /^[ -~]*$/.test(text) ? text : `=?utf-8?B?${Buffer.from(text).toString('base64')}?=`
}
