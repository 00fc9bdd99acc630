import { systemClock } from '../../../src/shared/clock.ts'
import { createIngestor } from '../../../src/documents/ingest/ingestor.ts'
import { openKnowledgeStore } from '../../../src/documents/store/index.ts'

/**
 * Adds a small file, which loads the modules, and then a large one; prints by what part of the large one's size the most
 * memory that this process ever held has grown meanwhile, and what became of it.
 */
const [small = '', large = '', size = ''] = process.argv.slice(2)
const store = openKnowledgeStore({ sqlitePath: `${small}.db` })
const ingest = createIngestor({ store, clock: systemClock })
const mostBytes = (): number => process.resourceUsage().maxRSS * 1024
await ingest.addPaths('ada', [small], { cwd: '/' })
const before = mostBytes()
const [outcome] = await ingest.addPaths('ada', [large], { cwd: '/' })
const said = outcome !== undefined && 'error' in outcome ? outcome.error : 'added'
process.stdout.write(JSON.stringify({ share: (mostBytes() - before) / Number(size), said }))
await store.close()
