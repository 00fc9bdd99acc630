// Writes docs/prompts.md, which lists every prompt, from their declarations: npm run prompts
import { writeFile } from 'node:fs/promises'
import { promptsPage } from './prompts/page.ts'

await writeFile(new URL('../docs/prompts.md', import.meta.url), promptsPage())
