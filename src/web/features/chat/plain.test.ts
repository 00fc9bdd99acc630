import fc from 'fast-check'
import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, it } from 'vitest'
import { Plain, Words } from './markdown.tsx'

/** Texts that are full of what Markdown and HTML make something of. */
const value = fc
  .array(
    fc.oneof(
      fc.string(),
      fc.constantFrom('**bold**', '![x](https://evil.example/x.png)', '<img src=x>', '[a](http://b)', '`', '&amp;'),
      fc.constantFrom('https://evil.example', '# ', '- ', '| a |', '\n', '\n\n', '[12]', '<!--', '\\', '_'),
    ),
    { maxLength: 12 },
  )
  .map((parts) => parts.join(''))

const DECODED = { '&lt;': '<', '&gt;': '>', '&quot;': '"', '&#x27;': "'", '&amp;': '&' } as const

/** What a browser shows of it, and the tags around that; lines are told apart by the tags. */
function read(html: string): { text: string; tags: string[] } {
  const tags = Array.from(html.matchAll(/<\/?([a-z]+)[^>]*>/g), ([, tag]) => tag!)
  const text = html
    .replaceAll(/<[^>]*>/g, '')
    .replaceAll(/&(?:lt|gt|quot|amp|#x27);/g, (entity) => DECODED[entity as keyof typeof DECODED])
  return { text: text.replaceAll('\n', ''), tags: [...new Set(tags)] }
}

it('text from rules is shown unchanged, and no part of it becomes a link', () => {
  fc.assert(
    fc.property(value, value, (name, cell) => {
      const text = `${name} (${cell}).`
      const { text: shown, tags } = read(renderToStaticMarkup(createElement(Plain, { text, mark: () => undefined })))
      expect(shown).toBe(text.replaceAll('\n', ''))
      expect(tags.filter((tag) => !['div', 'p', 'span'].includes(tag))).toEqual([])
    }),
  )
})

it('only text with a part from a model is read as Markdown, not text of unknown origin', () => {
  const shown = (format: 'text' | 'markdown' | undefined) =>
    read(renderToStaticMarkup(createElement(Words, { text: '[a](http://b)', mark: () => undefined, format })))
  for (const format of ['text', undefined] as const) expect(shown(format).text).toBe('[a](http://b)')
  expect(shown('markdown')).toEqual({ text: 'a', tags: ['div', 'p', 'a'] })
})
