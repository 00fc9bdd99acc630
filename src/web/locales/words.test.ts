import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { glob } from 'tinyglobby'
import { expect, test } from 'vitest'
import { catalogueTypes, valuesOf } from '../../../scripts/locales.ts'
import german from './de.json' with { type: 'json' }
import english from './en.json' with { type: 'json' }
import { en } from './texts.fixture.ts'

/** Groups whose words are found by a name that comes at run time. */
const BY_NAME =
  /^(?:strategies|empty\.count|agent\.|step\.state|status|runs\.(?:answer|plan|trace)|nav\.theme|role|scope|limit|palette\.(?:keys|narrow)|memory\.field|settings\.(?:days|scopeHint)|admin\.(?:roleHint|level|audited)|decided\.(?:scopes|kinds)|teams\.status|skills\.status|servers\.(?:effect|says)|dashboard\.outcome|data\.(?:how|sign|protection|wanted)|compare\.(?:fields|sides)|runs\.state|collections\.(?:kind|level|whose|isA|pick|noneToPick)|access\.(?:kind|levelHint|gains|loses)|retention\.(?:kind|how)|executions\.status|schedules\.(?:at|kind|status)|conversations\.kept|evaluations\.(?:verdict|filter|kind|expectation)|setup\.(?:about|field|hint|kind|state|ability|from)|notices|teams\.most)/

function pathsOf(value: object, before = ''): string[] {
  return Object.entries(value).flatMap(([name, inner]) =>
    typeof inner === 'object' ? pathsOf(inner as object, `${before}${name}.`) : [before + name],
  )
}

test('each text is used', async () => {
  const root = join(import.meta.dirname, '..')
  const files = await glob(['**/*.{ts,tsx}', '!locales/**'], { cwd: root, absolute: true })
  const source = (await Promise.all(files.map((file) => readFile(file, 'utf8')))).join('\n')
  const unused = pathsOf(en).filter(
    (path) =>
      !BY_NAME.test(path) &&
      ![path, path.replace(/^(?:setup|agentsPage)\./, '')].some((name, at) =>
        source.includes(`${['words', 'texts'][at]}.${name}`),
      ),
  )
  expect(unused).toEqual([])
})

const textAt = (catalogue: unknown, path: string): string =>
  path.split('.').reduce((group, name) => (group as Record<string, unknown>)[name], catalogue) as string

test('each language has the same texts with the same values', () => {
  const paths = pathsOf(english)
  expect(
    pathsOf(german)
      .filter((path) => !path.startsWith('errors.'))
      .sort(),
  ).toEqual(paths.toSorted())
  const namesOf = (catalogue: unknown, path: string) => [...valuesOf(textAt(catalogue, path)).keys()].sort()
  for (const path of paths) expect(namesOf(german, path), path).toEqual(namesOf(english, path))
})

test('the types of the texts are generated from the English ones', async () => {
  const plain = (source: string): string => source.replaceAll(/[\s;'"]/g, '')
  const written = await readFile(join(import.meta.dirname, 'catalogue.ts'), 'utf8')
  expect(plain(written) === plain(catalogueTypes(english)), 'Run “npm run locales”.').toBe(true)
})
