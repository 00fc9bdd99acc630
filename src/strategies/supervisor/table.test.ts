import { readFile } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { TABLE } from './table.ts'

it('equals the diagram of docs/strategies.md', async () => {
  const page = await readFile(new URL('../../../docs/strategies.md', import.meta.url), 'utf8')
  const name = (step: string): string => (step === 'end' ? '[*]' : step)
  const arrows = Object.values(TABLE).map(({ from, on, to }) => `  ${from} --> ${name(to)}: ${on}`)
  const drawn = ['stateDiagram-v2', '  [*] --> preprocess', ...arrows].join('\n')
  expect(page).toContain(`\`\`\`mermaid\n${drawn}\n\`\`\``)
})
