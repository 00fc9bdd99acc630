// Writes docs/api.md, the reference of what `tutti`, `tutti/testing` and `tutti/client` export, from the doc comments: npm run api
import { writeFile } from 'node:fs/promises'
import { apiReference } from './api/reference.ts'

await writeFile(new URL('../docs/api.md', import.meta.url), apiReference())
