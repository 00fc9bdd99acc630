// Soak test: builds program and web app.
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'

const script = join(import.meta.dirname, '..', 'scripts', 'licences.mjs')

it('docs/licences.md lists every package that is installed with Tutti, is part of it or is used to develop it', async () => {
  await expect(promisify(execFile)(process.execPath, [script, '--check'])).resolves.toMatchObject({ stderr: '' })
})
