import { isMailAddress } from '../shared/mail-address.ts'
import { invalidMail } from './errors.ts'
import { truncate } from '../shared/json.ts'

export interface Address {
  /** Empty if there is none. */
  readonly name: string
  readonly address: string
}

const IN_TEXT = /[\p{L}\p{N}.!#$%&'*+/=?^_`{|}~-]{1,64}@[\p{L}\p{N}](?:[\p{L}\p{N}.-]{0,251}[\p{L}\p{N}])?/gu
// eslint-disable-next-line no-control-regex
const CONTROL = /[\u0000-\u001f\u007f\u2028\u2029]/

/**
 * Reads `Name <address>` or an address alone.
 * @throws TuttiError `InvalidRequest` for anything else, line breaks included
 */
export function parseAddress(text: string): Address {
  const trimmed = text.trim()
  const [, quoted, plain, inBrackets] = /^(?:"([^"]*)"|([^<>"]*?))\s*<([^<>]+)>$/.exec(trimmed) ?? []
  const address = (inBrackets ?? trimmed).trim()
  if (CONTROL.test(text) || !isMailAddress(address)) {
    throw invalidMail(`"${printable(text)}" is not a mail address. Write it as name@example.com.`)
  }
  return { name: (quoted ?? plain ?? '').trim(), address }
}

/** Like `parseAddress`, for addresses in mails that others wrote: undefined instead of an error. */
export function readAddress(text: string): Address | undefined {
  try {
    return parseAddress(text)
  } catch {
    return undefined
  }
}

/** For comparing: addresses are equal without regard to case. */
export function addressKey(text: string): string {
  return (readAddress(text)?.address ?? text.trim()).toLowerCase()
}

/** Every address in a text, in lower case. */
export function addressesIn(text: string): string[] {
  const found = [...text.matchAll(IN_TEXT)].map(([match]) => match.replace(/^[.'`*_]+/, '').toLowerCase())
  return [...new Set(found.filter(isMailAddress))]
}

/** The address without its name. */
export function bareAddress(text: string): string {
  return /<([^<>]+)>\s*$/.exec(text)?.[1]?.trim() ?? text.trim()
}

export function formatAddress({ name, address }: Address): string {
  if (name === '') return address
  return /[",<>@;:()]/.test(name) ? `"${name.replaceAll('"', "'")}" <${address}>` : `${name} <${address}>`
}

/** Without control characters and not too long, for messages to people. */
export function printable(text: string): string {
  return truncate(text.replaceAll(new RegExp(CONTROL, 'g'), ' '), 100)
}

export function hasControl(text: string): boolean {
  return CONTROL.test(text)
}
