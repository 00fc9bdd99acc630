import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'

const read = (file: string): string => readFileSync(join(import.meta.dirname, file), 'utf8')

/** Comes from the list of runs, of which it shows two. */
const FROM_OTHERS = new Set(['/runs/compare'])

it('every page with its own address is found by its name', () => {
  const pages = [...read('router.tsx').matchAll(/(?:page\(\s*|path: )'([^'$]+)'/g)].map(([, path]) => path!)
  expect(pages.length).toBeGreaterThan(15)
  const entries = ['pages.ts', 'palette.tsx'].flatMap((file) => [...read(file).matchAll(/\['([^']+)', /g)])
  const listed = new Set(entries.map(([, path]) => path!))
  expect(pages.filter((path) => !listed.has(path) && !FROM_OTHERS.has(path))).toEqual([])
})
