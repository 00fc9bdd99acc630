import type { AddressObject, ParsedMail, SimpleParserOptions } from 'mailparser'
import type { PageNode } from '../markup/page-node.ts'
import { visibleText, type VisibleText } from '../markup/visible-text.ts'
import { toMailError } from './errors.ts'
import type { MailAttachment, MailFolder, MailHeader, MailMessage } from './types.ts'

/** Most bytes that are read of one mail; attachments beyond that are not even loaded. */
export const MAX_MAIL_BYTES = 5_000_000
/** Enough for the beginning of the text of a mail in a list. */
export const LIST_BYTES = 32_000

const MAX_TEXT = 50_000
/** Maximum length of HTML in characters, without elements that are not part of the text. */
const MAX_HTML = 1_000_000
/** Headers beyond this are ignored; endless address lists would hold everything up. */
const MAX_HEADERS = 64_000
const SNIPPET = 160
const MAX_ADDRESSES = 200

/**
 * Reads RFC 5322 text. HTML is turned into text; links stay, images and everything remote are left out.
 * @param raw may be cut off anywhere
 * @throws TuttiError `MailError` when it cannot be read at all
 */
export async function readMail(raw: Buffer, about: { id: string; folder: MailFolder }): Promise<MailMessage> {
  const { simpleParser } = await import('mailparser')
  let parsed: ParsedMail
  try {
    parsed = await simpleParser(withoutLongHeaders(raw), OPTIONS)
  } catch (thrown) {
    throw toMailError(thrown, 'The mail cannot be read')
  }
  const { text: plain = '', html } = parsed
  const body = plain.trim() === '' && typeof html === 'string' ? await htmlText(html) : { text: plain, isCut: false }
  const text = tidy(body.text)
  const attachments = parsed.attachments.filter(({ related }) => !related).map(attachmentOf)
  const references = [parsed.references ?? []].flat()
  return {
    ...about,
    from: addresses(parsed.from)[0] ?? '',
    to: addresses(parsed.to),
    cc: addresses(parsed.cc),
    subject: oneLine(parsed.subject ?? ''),
    date: isoDate(parsed),
    snippet: snippetOf(text),
    hasAttachments: attachments.length > 0,
    messageId: oneLine(parsed.messageId ?? ''),
    references: references.map(oneLine).filter((id) => /^<[^<>\s]+>$/.test(id)),
    replyTo: addresses(parsed.replyTo),
    text: text.slice(0, MAX_TEXT),
    isCut: body.isCut || text.length > MAX_TEXT,
    attachments,
  }
}

function withoutLongHeaders(raw: Buffer): Buffer {
  const ends = ['\r\n\r\n', '\n\n'].map((gap) => raw.indexOf(gap)).filter((index) => index >= 0)
  const end = ends.length === 0 ? raw.length : Math.min(...ends)
  if (end <= MAX_HEADERS) return raw
  return Buffer.concat([raw.subarray(0, MAX_HEADERS), Buffer.from('\r\n'), raw.subarray(end)])
}

const OPTIONS: SimpleParserOptions = {
  skipHtmlToText: true,
  skipTextToHtml: true,
  skipImageLinks: true,
}

/** What a list shows of a mail. */
export function headerOf(mail: MailMessage): MailHeader {
  const { id, folder, from, replyTo, to, cc, subject, date, snippet, hasAttachments } = mail
  return { id, folder, from, replyTo, to, cc, subject, date, snippet, hasAttachments }
}

export function snippetOf(text: string): string {
  const line = oneLine(text)
  return line.length > SNIPPET ? `${line.slice(0, SNIPPET - 1).trimEnd()}…` : line
}

async function htmlText(html: string): Promise<VisibleText> {
  const { parseVisiblePage: pageOf, withoutUnshown } = await import('../markup/page.ts')
  const markup = withoutUnshown(html)
  const { documentElement } = pageOf(markup.slice(0, MAX_HTML))
  const page = visibleText(documentElement as unknown as PageNode, 2 * MAX_TEXT, true)
  return { text: page.text, isCut: page.isCut || markup.length > MAX_HTML }
}

/** Without invisible characters and long gaps. */
function tidy(text: string): string {
  return text
    .replaceAll('\r\n', '\n')
    .replaceAll(/[\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufeff]/g, '')
    .replaceAll(/\n{3,}/g, '\n\n')
    .trim()
}

function attachmentOf({ filename, contentType, size }: ParsedMail['attachments'][number]): MailAttachment {
  return { name: oneLine(filename ?? '') || '(no name)', type: contentType, bytes: size }
}

function addresses(given: AddressObject | AddressObject[] | undefined): string[] {
  const flat = [given ?? []].flat().flatMap(({ value }) => value.flatMap((one) => one.group ?? [one]))
  return flat.slice(0, MAX_ADDRESSES).flatMap(({ name, address }) => {
    if (address === undefined || address === '') return []
    const clean = oneLine(name).replaceAll(/[<>"]/g, '')
    const quoted = /[,@;:()]/.test(clean) ? `"${clean}"` : clean
    return [clean === '' || clean === address ? oneLine(address) : `${quoted} <${oneLine(address)}>`]
  })
}

/** The parser uses the current time for a date that it cannot read, which would put such mails first. */
function isoDate({ date, headerLines }: ParsedMail): string {
  const line = headerLines.find(({ key }) => key === 'date')?.line ?? ''
  const written = line.slice(line.indexOf(':') + 1).replaceAll(/\([^()]*\)/g, ' ')
  const isReadable = date !== undefined && !Number.isNaN(date.getTime()) && !Number.isNaN(Date.parse(written))
  return isReadable ? date.toISOString() : ''
}

function oneLine(text: string): string {
  // eslint-disable-next-line no-control-regex
  return text.replaceAll(/[\s\u0000-\u001f\u007f]+/g, ' ').trim()
}
