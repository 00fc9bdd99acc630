import { fileURLToPath } from 'node:url'
import { exportsOf, type Exported } from './declarations.ts'

const SRC = fileURLToPath(new URL('../../src/', import.meta.url))

/** The doors of the package. */
export const ENTRIES: readonly (readonly [name: string, file: string])[] = [
  ['tutti', `${SRC}index.ts`],
  ['tutti/testing', `${SRC}testing/index.ts`],
  ['tutti/client', `${SRC}client/index.ts`],
]

const KINDS: readonly (readonly [kind: Exported['kind'], heading: string])[] = [
  ['function', 'Functions'],
  ['const', 'Values'],
  ['class', 'Classes'],
  ['interface', 'Interfaces'],
  ['type', 'Types'],
]

/** The whole reference in Markdown. It is what the package promises, so a change of it is seen in review. */
export function apiReference(): string {
  const doors = ENTRIES.map(([name, file]) => [name, exportsOf(file)] as const)
  const parts = doors.map(([name, all]) => {
    const kinds = KINDS.flatMap(([kind, heading]) => {
      const those = all.filter((one) => one.kind === kind)
      return those.length === 0 ? [] : [`### ${heading}`, ...those.map(section)]
    })
    return [`## \`${name}\``, ...kinds].join('\n\n')
  })
  const head = `# API reference

What the package exports, made from its doc comments by \`npm run api\`. How to use it: [library.md](library.md).`
  const everything = doors.flatMap(([, all]) => all)
  const inner = innerTypes(everything).map((name) => `\`${name}\``)
  const rest = `## Not exported\n\nTypes of parts that are mentioned above and have no name outside: ${inner.join(', ')}.`
  return `${[head, ...parts, rest].join('\n\n')}\n`
}

/** Characters of a declaration. */
const MAX_CHARS = 10_000

/** What TypeScript and Node.js bring, and what only their own declarations can name. */
const FOREIGN =
  /^(?:const|z\..*|NodeJS\..*|AbortSignal|AsyncGenerator|Extract|Iterable|Omit|Partial|Pick|Promise|Readonly|ReadonlyMap|ReadonlySet|Record|RegExp)$/

function innerTypes(all: readonly Exported[]): string[] {
  const names = new Set(all.map(({ name }) => name))
  const mentioned = new Set(all.flatMap(({ mentions }) => mentions))
  return [...mentioned].filter((name) => !names.has(name) && !FOREIGN.test(name)).sort()
}

function section({ name, comment, declaration }: Exported): string {
  const { text, tags } = told(comment)
  // What is made from the OpenAPI document is read better there.
  const [first] = declaration.split('\n', 1)
  const shown = declaration.length > MAX_CHARS ? `${first}\n  // As in /openapi.json.\n}` : declaration
  return [`#### ${name}`, ...(text === '' ? [] : [text]), ...tags, `\`\`\`ts\n${shown}\n\`\`\``].join('\n\n')
}

/** The words of a comment, and its tags as a list. */
function told(comment: string): { text: string; tags: string[] } {
  const [text = '', ...tags] = comment.split(/(?:^|\s)@(?=param|throws|returns)/)
  const list = tags.map((tag) => {
    const [, name = '', rest = ''] = /^(\w+)\s+([\s\S]*)$/.exec(tag.trim()) ?? []
    return `- ${name} ${rest.replaceAll(/\s+/g, ' ')}`
  })
  return { text: text.trim(), tags: list.length === 0 ? [] : [list.join('\n')] }
}
