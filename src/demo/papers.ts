import { access, copyFile, mkdir, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { createDemoFreight } from './freight.ts'
import { writeDemoMailbox } from './mailbox/write.ts'
import { SHIPPED } from './shipped.ts'

/** The usual names, beside the database. They are unlikely to be anybody's own: what is there is replaced. */
export const DEMO_DOCUMENTS_NAME = 'brindlemoor-documents'
export const DEMO_MAILBOX_NAME = 'brindlemoor-mailbox'

/** The business terms of its database, by the name under which they are found. */
export const DEMO_TERMS_NAME = 'brindlemoor.terms.yaml'
export const DEMO_TERMS = join(import.meta.dirname, '..', '..', 'assets', DEMO_TERMS_NAME)

export interface DemoPapers {
  readonly documents: string
  readonly mailbox: string
}

/**
 * Writes the documents and the mailbox of the demo business into two folders of the given one, its business terms, and the
 * books of freight.
 * @throws the file system's own error when they cannot be written
 */
export async function writeDemoPapers(folder: string): Promise<DemoPapers> {
  const papers = { documents: join(folder, DEMO_DOCUMENTS_NAME), mailbox: join(folder, DEMO_MAILBOX_NAME) }
  await writeDemoDocuments(papers.documents)
  await writeDemoMailbox(papers.mailbox)
  await copyFile(DEMO_TERMS, join(folder, DEMO_TERMS_NAME))
  await createDemoFreight(folder)
  return papers
}

/** What of the package the demo is written from and is not there. */
export async function missingAssets(): Promise<readonly string[]> {
  const isThere = (path: string): Promise<boolean> =>
    access(path).then(
      () => true,
      () => false,
    )
  const needed = [SHIPPED, DEMO_TERMS]
  const found = await Promise.all(needed.map(isThere))
  return needed.filter((_path, i) => !found[i])
}

async function writeDemoDocuments(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true })
  const names = await readdir(SHIPPED)
  await Promise.all(names.map((name) => copyFile(join(SHIPPED, name), join(folder, name))))
}
