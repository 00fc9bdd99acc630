// Makes the documents of the demo business that the package ships, in assets/demo/brindlemoor-documents: npm run demo:documents
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { makeDemoDocuments } from './demo-documents/make.ts'

const folder = join(import.meta.dirname, '..', 'assets', 'demo', 'brindlemoor-documents')
await rm(folder, { recursive: true, force: true })
await mkdir(folder, { recursive: true })
for (const [name, content] of await makeDemoDocuments()) await writeFile(join(folder, name), content)
