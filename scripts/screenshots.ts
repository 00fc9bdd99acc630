import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { SCENES, type Scene, type Theme, type Width } from '../test/web/gallery/scenes.ts'
import { openGallery } from '../test/web/gallery/show.ts'
import { recordTour } from './screenshots/tour.ts'
import { webp } from './screenshots/webp.ts'

/**
 * Writes `docs/screenshots/`: every page, light, dark and on a phone, from the scenes that its tests go by, and a short recording of the
 * product over the demo.
 *   npm run screenshots
 */

const FOLDER = join(import.meta.dirname, '..', 'docs', 'screenshots')

const PAGES = [
  'chat-empty',
  'chat-plan',
  'chat-source',
  'chat-series',
  'chat-running',
  'chat-declined',
  'chat-plan-edit',
  'approval-mail',
  'approvals',
  'runs',
  'runs-compare',
  'run-answer',
  'run-trace',
  'documents',
  'collections',
  'collection',
  'data',
  'data-terms',
  'data-console',
  'schedules',
  'schedule',
  'agents',
  'teams',
  'team',
  'skills',
  'servers',
  'evaluations',
  'evaluations-compared',
  'dashboard',
  'settings',
  'settings-memory',
  'settings-keys',
  'admin-people',
  'admin-access',
  'admin-audit',
  'api-docs',
  'palette',
  'sign-in',
] as const

/** Changes with every document, so no test goes by how it looks. */
const GUIDE: Scene = { path: '/guide', shows: 'Run it' }

const LOOKS: readonly (readonly [name: string, width: Width, theme: Theme])[] = [
  ['light', 1440, 'light'],
  ['dark', 1440, 'dark'],
  ['phone', 390, 'light'],
]

await rm(FOLDER, { recursive: true, force: true })
await mkdir(FOLDER, { recursive: true })
const gallery = await openGallery()
let bytes = 0
const keep = async (name: string, picture: Buffer): Promise<void> => {
  bytes += picture.length
  await writeFile(join(FOLDER, `${name}.webp`), picture)
}
const scenes: readonly (readonly [string, Scene])[] = [
  ...PAGES.map((name) => [name, SCENES[name]!] as const),
  ['guide', GUIDE],
]
for (const [name, scene] of scenes) {
  for (const [look, width, theme] of LOOKS) {
    const { page, wrong } = await gallery.show(scene, width, theme)
    if (wrong.length > 0) throw new Error(`${name}: ${wrong.join(' ')}`)
    await keep(`${name}-${look}`, await webp(page, 70))
  }
}
await gallery.close()
await keep('tour', await recordTour())
console.log(`${scenes.length * LOOKS.length + 1} pictures, ${(bytes / 1e6).toFixed(1)} MB, are in docs/screenshots.`)
