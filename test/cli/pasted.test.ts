import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { glob } from 'tinyglobby'
import { beforeAll, describe, expect, it } from 'vitest'
import { allCommands, saidOn } from './terminal.ts'

const ROOT = join(import.meta.dirname, '../..')
const terminal = { folder: ROOT, columns: 100, isTTY: false }
/** The help of each command by its words. */
const help = new Map<string, string>()
const texts = new Map<string, string>()
let documents: readonly string[] = []

beforeAll(async () => {
  for (const path of await allCommands(ROOT))
    help.set(path.join(' '), (await saidOn(terminal, [...path, '--help'])).out)
  const code = ['src/**/*.ts', '!src/**/*.{test,fixture}.ts']
  documents = await glob(['README.md', 'docs/**/*.md', 'evals/*.md', 'examples/**/*.md'], { cwd: ROOT })
  for (const file of [...documents, ...(await glob(code, { cwd: ROOT }))])
    texts.set(file, await readFile(join(ROOT, file), 'utf8'))
})

/** Commands of a text: in quotation marks, after a colon, or at the start of a line. */
function commandsIn(text: string): string[] {
  const starts = /(?:["`]|: |^ *(?:\w+=\S+ )*|<\()(?:npx tutti|tutti) ([a-z]+(?: [a-z]+)?.*)/gm
  return [...text.replaceAll(' \\\n', ' ').matchAll(starts)].map(([found, words]) => {
    const quote = /^["`]/.exec(found)?.[0]
    return (quote === undefined ? words! : words!.split(quote)[0]!)
      .replaceAll(/\$\{(?:[^{}]|\{[^{}]*\})*\}/g, 'X')
      .split(/ {2,}| [#|>]|`|\\n|'\)|"\)/)[0]!
      .trim()
  })
}

/** Why a command would be refused before it did anything; undefined when it would not. */
function problemOf(command: string): string | undefined {
  // What follows ` -- ` is another program's.
  const words = command.split(' -- ')[0]!.match(/(?:"[^"]*"|'[^']*'|[^\s"'])+/g) ?? []
  let path = ''
  while (words.length > 0 && help.has(`${path} ${words[0]}`.trim())) path = `${path} ${words.shift()}`.trim()
  if (path === '') return 'there is no such command'
  const text = help.get(path)!
  const isGroup = text.includes('\nCommands:\n') && path !== 'eval'
  if (isGroup && words.length > 0 && !/^(?:-|X$)/.test(words[0]!)) return `${path} has no command ${words[0]}`
  const all = path === 'eval' ? `${text}${help.get('eval run')}` : text
  return words
    .filter((word) => /^--?[a-z]/.test(word))
    .filter((option) => !new RegExp(`^ +(?:-\\w, )?${option}\\b`, 'm').test(all) && !all.includes(`, ${option}`))
    .map((option) => `${path} has no option ${option}`)[0]
}

describe('printed commands', () => {
  it('are found in documents and sources', () => {
    const count = (file: string): number => commandsIn(texts.get(file)!).length
    expect(count('README.md')).toBeGreaterThan(5)
    expect(count('docs/cli.md')).toBeGreaterThan(30)
    expect(count('src/cli/approval-desk.ts')).toBe(2)
    expect(count('src/sandbox/exit-reason.ts')).toBe(1)
    expect(problemOf('runs approve X')).toBe('runs has no command approve')
    expect(problemOf('ask "x" --quick')).toBe('ask has no option --quick')
    expect(problemOf('query "x"')).toBe('there is no such command')
  })

  it('exist, with their options', () => {
    const bad = [...texts].flatMap(([file, text]) =>
      commandsIn(text).flatMap((command) => {
        const problem = problemOf(command)
        return problem === undefined ? [] : [`${file}: ${command}: ${problem}`]
      }),
    )
    expect(bad).toEqual([])
  })

  it('exist in the help, too', () => {
    const bad = [...help.values()]
      .map((text) => text.replace(/^Usage: .*/, ''))
      .flatMap(commandsIn)
      .filter((command) => problemOf(command) !== undefined)
    expect(bad).toEqual([])
  })
})

describe('variables', () => {
  /** Variables of tests, child processes and the programs of recipes, and parts of longer names. */
  const INNER = /^TUTTI_(?:CANARY|TEST_\w+|URL|KEY|[A-Z]+_)$/
  const named = (text: string): string[] =>
    [...text.matchAll(/\bTUTTI_[A-Z_]+\b/g)].map(([name]) => name).filter((name) => !INNER.test(name))

  it('of the code are documented, and documented ones are in the code', () => {
    const isDocument = (file: string): boolean => documents.includes(file)
    const inCode = new Set([...texts].flatMap(([file, text]) => (isDocument(file) ? [] : named(text))))
    const inDocuments = new Set([...texts].flatMap(([file, text]) => (isDocument(file) ? named(text) : [])))
    expect([...inCode].filter((name) => !inDocuments.has(name))).toEqual([])
    expect([...inDocuments].filter((name) => !inCode.has(name))).toEqual([])
  })
})
