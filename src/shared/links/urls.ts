import { renderedView } from './view.ts'

/** Endings of host names that readers and renderers take for an address without `https://` before it. */
const ENDINGS =
  'com|net|org|edu|gov|info|biz|io|co|ai|app|dev|xyz|site|online|cloud|link|page|shop|store|tech|me|tv|ly|gg|to|cc|ws|su|de|uk|fr|eu|ru|cn|example|test|local|internal|onion'

/**
 * Possible beginnings of an address in a run without blanks: a scheme, `www.`, two slashes and a host, or a host and a
 * path. For those in a named group, a further character is required at any distance.
 */
const BEGINNING = new RegExp(
  [
    String.raw`(?=[a-z][a-z0-9+.-]{1,31}:[/\\]+[^])`,
    String.raw`(?<![a-z0-9])(?=(?:https?|ftps?|wss?|intent|xmpp|javascript|vbscript|livescript|blob|view-source):[^])`,
    String.raw`(?<![a-z0-9+.-])(?=(?<data>data:))`,
    String.raw`(?<![a-z0-9+.-])(?=(?:mailto|tel|sms|callto|skype|facetime):[.,]*[^.,])`,
    String.raw`(?<![\p{L}\p{N}@.-])(?=www\d?\.[^])`,
    String.raw`(?<![\p{L}\p{N}/\\:])(?=(?<slashes>[/\\]{2}[\p{L}\p{N}[]))`,
    String.raw`(?<![\p{L}\p{N}@./\\_-])(?=(?:[\p{L}\p{N}][\p{L}\p{N}_-]{0,62}\.){1,9}(?:${ENDINGS})(?::\d+)?[/?#])`,
    String.raw`(?<![\p{L}\p{N}@./\\_-])(?=(?<host>(?:[\p{L}\p{N}][\p{L}\p{N}_-]{0,62}\.){1,9}[\p{L}]{2,})(?![\p{L}\p{N}]))`,
  ].join('|'),
  'giu',
)

/** Characters that are more likely to follow an address than to belong to it. */
const TRAILING = /["'`*_~.,;:!?)\]}>|…]$/u
const MAX_TRAILING = 6

export interface Found {
  readonly start: number
  /** Of the whole run of characters that a renderer may take for the address. */
  readonly end: number
  /** The address in all its possible lengths, longest first. */
  readonly readings: readonly string[]
}

/** One of these is in every address; the pattern of all beginnings takes long to compile. */
const HINT = /[:/\\?#]|www/i

/** The addresses that are in a text on their own. */
export function bareUrls(text: string): Found[] {
  const found: Found[] = []
  for (const { 0: run, index } of text.matchAll(/[^\s<]+/gu)) {
    const at = HINT.test(run) ? beginningIn(run) : undefined
    if (at === undefined) continue
    found.push({ start: index + at, end: index + run.length, readings: readingsOf(run.slice(at)) })
  }
  return found
}

function beginningIn(run: string): number | undefined {
  // Last positions of required characters: a look-ahead from each candidate would take quadratic time.
  const last = {
    data: run.lastIndexOf(',', run.length - 2),
    slashes: Math.max(...['.', ':', ']'].map((mark) => run.lastIndexOf(mark))),
    host: run.lastIndexOf('?', run.lastIndexOf('=')),
  }
  for (const { index, groups } of run.matchAll(BEGINNING)) {
    const isFollowed = Object.entries(last).every(([name, at]) => index + (groups![name]?.length ?? -Infinity) <= at)
    if (isFollowed) return index
  }
  return undefined
}

/** An address with the text that follows it, and with shorter and shorter parts of it. */
export function readingsOf(run: string): string[] {
  const readings = [run]
  let text = run
  for (let cut = 0; cut < MAX_TRAILING && TRAILING.test(text); cut++) {
    text = text.slice(0, -1)
    readings.push(text)
  }
  return readings
}

/**
 * Normalizes an address as a browser does, for comparison: host in ASCII, `http` and `https` alike. Undefined for
 * relative and invalid ones.
 */
function normalUrl(url: string): string | undefined {
  const trimmed = url.trim().replace(/[\t\n\r]/g, '')
  const absolute = /^[/\\]{2}/.test(trimmed)
    ? `https:${trimmed}`
    : /^[a-z][a-z0-9+.-]*:(?!\d+(?:[/?#]|$))/i.test(trimmed)
      ? trimmed
      : `https://${trimmed}`
  if (!URL.canParse(absolute)) return undefined
  const { protocol, href } = new URL(absolute)
  return protocol === 'http:' || protocol === 'https:' ? href.slice(protocol.length) : href
}

/** Whether a link's target is absolute, rather than relative to the page that shows it. */
export function isAbsolute(target: string): boolean {
  return /^(?:[a-z][a-z0-9+.-]*:|[/\\]{2}|www\.)/i.test(target.replace(/[\p{Cc}\s]/gu, ''))
}

const EMAIL = /[\w.+-]{1,64}@[\w-]+(?:\.[\w-]+)+/g

/** Addresses in the data of a run: in texts, and in texts within lists and objects. */
export class KnownUrls {
  private readonly known = new Set<string>()

  /** @param except addresses that are not added */
  add(value: unknown, except?: KnownUrls): this {
    if (typeof value === 'string') this.addText(value, except)
    else if (Array.isArray(value)) for (const inner of value) this.add(inner, except)
    else if (typeof value === 'object' && value !== null) {
      for (const [key, inner] of Object.entries(value)) this.add(key, except).add(inner, except)
    }
    return this
  }

  has(url: string): boolean {
    const normal = normalUrl(url)
    return normal !== undefined && this.known.has(normal)
  }

  private addText(text: string, except: KnownUrls | undefined): void {
    for (const form of text.includes('&') || text.includes('\\') ? [text, renderedView(text).text] : [text]) {
      for (const { readings } of bareUrls(form)) {
        for (const reading of readings) this.addUrl(reading, except)
        // In HTML, Markdown or JSON something may follow without a space.
        for (const end of ['"', "'", '>', ')', ']', '|', '`', '\\', '}', ',', ';'])
          this.addUrl(readings[0]!.split(end, 1)[0]!, except)
      }
      for (const [address] of form.matchAll(EMAIL)) this.addUrl(`mailto:${address}`, except)
    }
  }

  private addUrl(url: string, except: KnownUrls | undefined): void {
    const normal = normalUrl(url)
    if (normal !== undefined && except?.known.has(normal) !== true) this.known.add(normal)
  }
}
