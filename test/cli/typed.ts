import { PassThrough } from 'node:stream'
import { vi } from 'vitest'
import { saidOn, type Said, type Terminal } from './terminal.ts'

/**
 * Runs a command for a user at the terminal, who types the keys of a prompt once it is on the screen.
 * @returns also what was drawn, and the prompts that did not appear
 */
export async function typedOn(
  terminal: Pick<Terminal, 'folder' | 'env'> & Partial<Terminal>,
  args: readonly string[],
  prompts: readonly (readonly [prompt: string, keys: string | (() => unknown)])[],
): Promise<Said & { readonly drawn: string; readonly left: readonly string[] }> {
  const keys = Object.assign(new PassThrough(), { isTTY: true, setRawMode: () => undefined })
  const left = [...prompts]
  let [drawn, from] = ['', 0]
  const screen = vi.spyOn(process.stderr, 'write').mockImplementation((text) => {
    drawn += String(text)
    const [prompt, typed] = left[0] ?? []
    if (prompt === undefined || !drawn.slice(from).replaceAll(/\s+/g, ' ').includes(prompt)) return true
    from = drawn.length
    left.shift()
    setImmediate(() => (typeof typed === 'string' ? keys.write(typed) : typed!()))
    return true
  })
  try {
    const said = await saidOn({ columns: 100, isTTY: true, keys, ...terminal }, args)
    return { ...said, drawn, left: left.map(([prompt]) => prompt) }
  } finally {
    screen.mockRestore()
  }
}
