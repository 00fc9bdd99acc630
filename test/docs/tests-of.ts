import { parseSync, Visitor } from 'oxc-parser'

const OFF = new Set(['skip', 'todo', 'fails', 'only'])
const NEVER = /\.(?:skipIf\(\s*true|runIf\(\s*false)\s*\)/

/** Tests of a file that run and contain an assertion, each as `group › title`. */
export function testsOf(fileName: string, written: string): string[] {
  const { program, comments, errors } = parseSync(fileName, written)
  if (errors.length > 0) throw new Error(`${fileName} does not parse: ${errors[0]!.message}`)
  const source = comments.reduce(
    (text, { start, end }) => text.slice(0, start) + ' '.repeat(end - start) + text.slice(end),
    written,
  )
  const expects = /\b(?:expect(?:\w*\(|\.(?:poll|soft|unreachable)\()|assert\w*[.(])/
  // Some tests assert in a separate function.
  const helpers = source
    .split(/^(?= *(?:export )?(?:async )?(?:function|const) \w)/m)
    .filter((text) => expects.test(text))
    .flatMap((text) => /^ *(?:export )?(?:async )?(?:function|const) (\w+)/.exec(text)?.[1] ?? [])
  const groups: Called[] = []
  const tests: Called[] = []
  new Visitor({
    CallExpression: ({ start, end, callee, arguments: [first, ...rest] }) => {
      const [, name, modes] = /^(describe\w*|it|test)\b((?:\.\w+)*)/.exec(source.slice(callee.start, callee.end)) ?? []
      const title = first === undefined ? undefined : literal(source.slice(first.start, first.end))
      if (name === undefined || title === undefined) return
      const isOff =
        modes!.split('.').some((mode) => OFF.has(mode)) || NEVER.test(source.slice(callee.start, callee.end))
      const body = rest.map((part) => source.slice(part.start, part.end)).join('\n')
      const holds = expects.test(body) || helpers.some((helper) => new RegExp(`\\b${helper}\\(`).test(body))
      if (name.startsWith('describe')) groups.push({ start, end, title, isOff })
      else if (holds) tests.push({ start, end, title, isOff })
    },
    // Tests under a constant false condition are not registered.
    IfStatement: ({ start, test, consequent: { end } }) => {
      if (source.slice(test.start, test.end) === 'false') groups.push({ start, end, title: '', isOff: true })
    },
  }).visit(program)
  return tests.flatMap((test) => {
    const path = [...groups.filter(({ start, end }) => start < test.start && test.end <= end), test]
    return path.some(({ isOff }) => isOff) ? [] : [path.map(({ title }) => title).join(' › ')]
  })
}

interface Called {
  readonly start: number
  readonly end: number
  readonly title: string
  readonly isOff: boolean
}

/** The value of a string literal, or the source text of a template. */
function literal(code: string): string | undefined {
  const [, , inner] = /^(['"`])([\s\S]*)\1$/.exec(code) ?? []
  return inner?.replaceAll(/\\(['"`])/g, '$1')
}
