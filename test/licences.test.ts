import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'

const root = join(import.meta.dirname, '..')

it('docs/licences.md lists the direct dependencies, no more and no fewer', () => {
  const { dependencies, devDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const page = readFileSync(join(root, 'docs', 'licences.md'), 'utf8')
  const listed = [...page.matchAll(/^\| `([^`]+)` \|/gm)].map(([, name]) => name)
  expect(listed.sort()).toEqual([...Object.keys(dependencies), ...Object.keys(devDependencies)].sort())
})
