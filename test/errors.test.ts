import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { exitCodeOfError } from '../src/cli/exit-codes.ts'
import { categoryOf, ERROR_CODES } from '../src/domain/errors.ts'
import { httpStatusOfError } from '../src/server/problems.ts'

const page = readFileSync(join(import.meta.dirname, '..', 'docs', 'errors.md'), 'utf8')

describe('docs/errors.md', () => {
  it('has a section for each code, in the order of the list, and no other', () => {
    expect([...page.matchAll(/^## (.+)$/gm)].map(([, title]) => title)).toEqual([...ERROR_CODES])
  })

  it.each(ERROR_CODES)('describes %s, with its exit code and HTTP status', (code) => {
    const section = new RegExp(`^## ${code}\\n\\n(.+)\\n\\n(?!## ).`, 'm').exec(page)
    expect(section?.[1]).toBe(
      `\`${categoryOf(code)}\` · exit code ${exitCodeOfError(code)} · HTTP ${httpStatusOfError(code)}`,
    )
  })
})
