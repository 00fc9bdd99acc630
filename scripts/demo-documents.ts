/**
 * `npm run demo:documents`: makes the PDF, Word and Excel documents in `assets/demo/brindlemoor-documents`, which the package
 * ships. The other documents there are text, to be edited in place.
 */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DEMO_ASSETS, DEMO_DOCUMENTS_NAME } from '../src/app/demo-data.ts'
import { makeDemoDocuments } from './demo-documents/make.ts'

for (const [name, content] of await makeDemoDocuments())
  await writeFile(join(DEMO_ASSETS, DEMO_DOCUMENTS_NAME, name), content)
