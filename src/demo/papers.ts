import { join } from 'node:path'
import { writeDemoDocuments } from './documents/write.ts'
import { writeDemoMailbox } from './mailbox/write.ts'

/** The usual names, beside the database. They are unlikely to be anybody's own: what is there is replaced. */
export const DEMO_DOCUMENTS_NAME = 'brindlemoor-documents'
export const DEMO_MAILBOX_NAME = 'brindlemoor-mailbox'

export interface DemoPapers {
  readonly documents: string
  readonly mailbox: string
}

/**
 * Writes the documents and the mailbox of the demo business into two folders of the given one.
 * @throws the file system's own error when they cannot be written
 */
export async function writeDemoPapers(folder: string): Promise<DemoPapers> {
  const papers = { documents: join(folder, DEMO_DOCUMENTS_NAME), mailbox: join(folder, DEMO_MAILBOX_NAME) }
  await writeDemoDocuments(papers.documents)
  await writeDemoMailbox(papers.mailbox)
  return papers
}
