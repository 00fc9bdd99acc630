import { expect, it } from 'vitest'
import { shellWord } from './printed-commands.ts'

it('quotes a word where the shell needs it', () => {
  expect(shellWord('/a/main.js')).toBe('/a/main.js')
  expect(shellWord('/a b/main.js')).toBe("'/a b/main.js'")
  expect(shellWord("it's")).toBe(String.raw`'it'\''s'`)
})
