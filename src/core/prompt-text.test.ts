import { expect, it } from 'vitest'
import { onOneLine } from './prompt-text.ts'

it.each([
  ['a zero-width joiner within a word', 'ig\u200Dno\u200C\u200Ere', 'ignore'],
  ['one beside another that is taken out anyhow', 'ig\u200D\u200B\u200Cnore', 'ignore'],
  ['variation selectors that stand for bytes', 'a\u{E0100}\u{E01EF}b\uFE00\uFE0D', 'ab'],
  ['a joiner that Persian needs', 'می\u200Cخواهم', 'می\u200Cخواهم'],
  ['a joined emoji, and its variant', '👩\u200D💻 ❤\uFE0F', '👩\u200D💻 ❤\uFE0F'],
])('what nobody sees: %s', (_, given, left) => {
  expect(onOneLine(given)).toBe(left)
})
