import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it, vi } from 'vitest'
import { FACTS, type Fact } from '../scripts/demo-documents/facts.ts'
import { makeDemoDocuments } from '../scripts/demo-documents/make.ts'
import { DEMO_ASSETS, DEMO_DOCUMENTS_NAME } from '../src/app/demo-data.ts'

it('PDF, Word and Excel documents of the demo equal the output of `npm run demo:documents`, byte for byte, on any day', async () => {
  const folder = join(DEMO_ASSETS, DEMO_DOCUMENTS_NAME)
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2031-05-06T07:08:09Z') })
  const made = await makeDemoDocuments().finally(() => vi.useRealTimers())
  for (const [name, content] of made) {
    expect(content.equals(await readFile(join(folder, name))), name).toBe(true)
  }
})

it('the facts are listed in docs/demo-data.md with their answers and places', async () => {
  const page = await readFile(join(import.meta.dirname, '..', 'docs', 'demo-data.md'), 'utf8')
  const rows = page.split('\n').filter((line) => /^\| .*\| `/.test(line) && line.includes('?'))
  expect(rows).toEqual(FACTS.map((fact) => `| ${fact.question} | ${fact.answer} | ${placeOf(fact)} |`))
})

function placeOf({ file, page, section }: Fact): string {
  return [
    `\`${file}\``,
    ...(page === undefined ? [] : [`page ${page}`]),
    ...(section === undefined ? [] : [`“${section}”`]),
  ].join(', ')
}
