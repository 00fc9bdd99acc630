import fc from 'fast-check'
import { Marked, type Token } from 'marked'
import temml from 'temml'
import { expect, it } from 'vitest'
import { times } from '../../../../test/support/length.ts'
import { KATEX_OPTIONS } from './formula.tsx'
import { math, type MathToken } from './math.ts'

const reader = new Marked({ gfm: true, breaks: true }, math)

/** The formulas of a text, wherever they are in it. */
function formulas(text: string): string[] {
  const found: string[] = []
  const look = (tokens: readonly Token[]): void =>
    reader.walkTokens([...tokens], (token) => {
      if (token.type === 'math') found.push((token as MathToken).tex)
    }) as never
  look(reader.lexer(text))
  return found
}

it.each([
  'x',
  '2x + 3 = 7',
  '10^6',
  'x_{\\text{total}} \\le 5',
  'f(x) = \\sin(x)',
  '\\sum_{i=1}^{n} i = \\frac{n(n+1)}{2}',
  'P(A|B)',
  '\\text{Revenue} = p \\times q',
])('%s is mathematics, in each notation', (tex) => {
  for (const text of [
    `So $${tex}$ holds.`,
    `So \\(${tex}\\), and`,
    `$$${tex}$$`,
    `\\[${tex}\\]`,
    `a\n\n$$\n${tex}\n$$\n\nb`,
  ]) {
    expect([text, formulas(text)]).toEqual([text, [tex]])
    expect(temml.renderToString(tex, KATEX_OPTIONS)).toContain('<math')
  }
})

it.each([
  '$5k/$6k',
  'US$5 or A$6',
  '$5 = 4.60 EUR and $6 = 5.50 EUR',
  'from $5 to 10$',
  '$5.00/unit * 3 = $15.00',
  'Set $HOME and $PATH.',
  'It costs $$ or $$$.',
  '\\[note\\]: what \\(he\\) said (twice)',
  '`$x$`',
  '\\$x\\$',
  '$\\frac{1}{2',
  '$$\na + b\n\nc$$',
])('%s is not', (text) => {
  expect(formulas(text)).toEqual([])
})

it('never reads amounts of money, and text between them, as mathematics', () => {
  const amount = fc
    .tuple(fc.nat(999_999), fc.constantFrom('', '.50', ',000', 'k', ' million', '/month', '*', '+', '%'))
    .map(([whole, end]) => `$${whole}${end}`)
  const between = fc.constantFrom(
    ' and ',
    '-',
    ', ',
    ' / ',
    ' = ',
    ' (',
    ' < ',
    '**',
    '_',
    '\n\n',
    ' | ',
    ' per item, or ',
  )
  const text = fc.array(fc.tuple(amount, between), { minLength: 2, maxLength: 8 }).map((parts) => parts.flat().join(''))
  fc.assert(
    fc.property(text, (said) => {
      expect(formulas(said)).toEqual([])
    }),
    { numRuns: times(3_000), seed: 20261126 },
  )
})

it('allows no link, image, custom attribute or endless macro in a formula', () => {
  const attacks = [
    '\\href{https://evil.example}{x}',
    '\\includegraphics{https://evil.example/x.png}',
    '\\class{evil}{x}',
    '\\id{evil}{x}',
    '\\style{background: url(https://evil.example)}{x}',
    '\\data{a=b}{x}',
    '\\text{<img src=x onerror=alert(1)>}',
    '\\def\\a{\\a\\a}\\a',
    '\\rule{100000em}{100000em}',
  ]
  for (const tex of attacks) {
    let made = ''
    try {
      made = temml.renderToString(tex, KATEX_OPTIONS)
    } catch {
      // Shown as it was written.
    }
    // Its elements, and not the words between them.
    const elements = (made.match(/<[^>]*>/g) ?? []).join('')
    expect(elements).not.toMatch(/href|src=|<img|<script|class="evil|id="evil|data-|url\(|\d{4,}em/)
  }
})
