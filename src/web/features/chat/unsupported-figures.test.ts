import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { afterEach, expect, it, vi } from 'vitest'
import { startLanguage, WordsProvider } from '../../locales/words.tsx'
import { Words } from './markdown.tsx'
import { withUnsupportedFigures } from './unsupported-figures.tsx'

afterEach(() => vi.unstubAllGlobals())

const TEXT = 'It grew by **3.71** to 1,250 [1].\n\n| a | b |\n|---|---|\n| 77.5 | 8 |'

function figure(text: string, status: 'found' | 'not_found') {
  const start = TEXT.indexOf(text)
  return { start, end: start + text.length, text, status }
}

it('marks figures without a source where they stand, and no others', async () => {
  vi.stubGlobal('localStorage', { getItem: () => null })
  vi.stubGlobal('navigator', { languages: ['en'] })
  const figures = [figure('3.71', 'not_found'), figure('1,250', 'found'), figure('77.5', 'not_found')]
  const text = withUnsupportedFigures(TEXT, figures)
  const words = createElement(Words, { text, mark: () => undefined, format: 'markdown' })
  const html = renderToStaticMarkup(createElement(WordsProvider, { start: await startLanguage(), children: words }))
  const marked = (value: string) => `<span class="unsupported" title="In no source">${value}</span>`
  expect(html).toContain(`<strong>${marked('3.71')}</strong> to 1,250 [1].`)
  expect(html).toContain(`<td>${marked('77.5')}</td>`)
  expect(html.match(/unsupported/g)).toHaveLength(2)
})

it('leaves a text alone that the figures do not fit', () => {
  expect(withUnsupportedFigures('Another text.', [figure('3.71', 'not_found')])).toBe('Another text.')
})
