import { randomUUID } from 'node:crypto'
import { access, mkdir, readdir, readFile, rename, rm, utimes, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'

/** The demo business as `npm run demo` and `npm run demo:documents` make it. */
export const DEMO_ASSETS = join(import.meta.dirname, '..', '..', 'assets', 'demo')

/** Names in the assets and in the folder that they are copied into. */
export const DEMO_FILE_NAME = 'brindlemoor.sqlite'
export const DEMO_FREIGHT_NAME = 'brindlemoor-freight.sqlite'
export const DEMO_TERMS_NAME = 'brindlemoor.terms.yaml'
export const DEMO_DOCUMENTS_NAME = 'brindlemoor-documents'
export const DEMO_MAILBOX_NAME = 'brindlemoor-mailbox'

/** The business terms of the database. */
export const DEMO_TERMS = join(DEMO_ASSETS, DEMO_TERMS_NAME)

export interface DemoPapers {
  readonly documents: string
  readonly mailbox: string
}

/** Whether a folder has files that the demo would replace. */
export async function hasDemoFiles(folder: string): Promise<boolean> {
  const names: readonly string[] = await readdir(folder).catch(() => [])
  const own = [DEMO_FILE_NAME, DEMO_FREIGHT_NAME, DEMO_TERMS_NAME, DEMO_DOCUMENTS_NAME, DEMO_MAILBOX_NAME]
  return own.some((name) => names.includes(name))
}

/** Whether this installation has the files that the demo is copied from. */
export function hasDemoAssets(): Promise<boolean> {
  return access(DEMO_ASSETS).then(
    () => true,
    () => false,
  )
}

/**
 * Copies the database to a path and replaces a file that exists there. Missing folders are created. The file appears under
 * its name only when it is complete.
 * @throws the file system's own error when it cannot be written
 */
export async function createDemoDatabase(path: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true })
  await replace(path, DEMO_FILE_NAME)
}

/** Copies the freight database into an existing folder. @throws as `createDemoDatabase` does */
export async function createDemoFreight(folder: string): Promise<void> {
  await replace(join(folder, DEMO_FREIGHT_NAME), DEMO_FREIGHT_NAME)
}

/** Copies everything but the database into a folder. @throws as `createDemoDatabase` does */
export async function writeDemoPapers(folder: string): Promise<DemoPapers> {
  const papers = { documents: join(folder, DEMO_DOCUMENTS_NAME), mailbox: join(folder, DEMO_MAILBOX_NAME) }
  await mkdir(papers.documents, { recursive: true })
  for (const name of await readdir(join(DEMO_ASSETS, DEMO_DOCUMENTS_NAME)))
    await copy(join(DEMO_DOCUMENTS_NAME, name), join(papers.documents, name))
  await writeDemoMailbox(papers.mailbox)
  await copy(DEMO_TERMS_NAME, join(folder, DEMO_TERMS_NAME))
  await createDemoFreight(folder)
  return papers
}

/**
 * Copies the mailbox as a Maildir (Maildir++: with `.Sent` and `.Drafts`). Replaces an existing mailbox with its drafts
 * and sent mails.
 */
export async function writeDemoMailbox(folder: string): Promise<void> {
  const draft = `${folder}.new`
  await rm(draft, { recursive: true, force: true })
  for (const place of ['.', '.Sent', '.Drafts']) {
    for (const part of ['cur', 'new', 'tmp']) await mkdir(join(draft, place, part), { recursive: true })
    const mails = join(DEMO_MAILBOX_NAME, place, 'cur')
    for (const name of await readdir(join(DEMO_ASSETS, mails))) {
      // Maildir wants a colon, which Git cannot check out on Windows.
      const path = join(draft, place, 'cur', name.replace(';', ':'))
      await copy(join(mails, name), path)
      const seconds = Number(name.split('.', 1)[0])
      await utimes(path, seconds, seconds)
    }
  }
  await rm(folder, { recursive: true, force: true })
  await rename(draft, folder)
}

async function replace(path: string, asset: string): Promise<void> {
  const draft = `${path}.${randomUUID()}.tmp`
  try {
    await copy(asset, draft)
    await rename(draft, path)
  } catch (error) {
    await rm(draft, { force: true })
    throw error
  }
}

/** Unlike `copyFile`, without the permissions: an installation may be read-only. */
async function copy(asset: string, path: string): Promise<void> {
  await writeFile(path, await readFile(join(DEMO_ASSETS, asset)))
}

/** The documents of the demo. */
export const SHIPPED = join(DEMO_ASSETS, DEMO_DOCUMENTS_NAME)

/**
 * Hashes of the demo documents, which identify unchanged ones among added documents. Empty if the package does not
 * include them.
 * @param hashOf the hash function used when documents are added
 */
export async function shippedHashes(hashOf: (bytes: Buffer) => Promise<string>): Promise<ReadonlySet<string>> {
  const names = await readdir(SHIPPED).catch(() => [])
  return new Set(await Promise.all(names.map(async (name) => hashOf(await readFile(join(SHIPPED, name))))))
}
