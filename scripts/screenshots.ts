import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { SCENES } from '../test/web/gallery/scenes.ts'
import { openGallery } from '../test/web/gallery/show.ts'
import { webp } from './screenshots/webp.ts'

/** `npm run screenshots`: draws the pictures of the documentation in `docs/screenshots/`, from the scenes of the gallery's tests. */

const FOLDER = join(import.meta.dirname, '..', 'docs', 'screenshots')
const SHOWN = ['chat-plan']

await mkdir(FOLDER, { recursive: true })
const gallery = await openGallery()
for (const name of SHOWN) {
  const { page, wrong } = await gallery.show(SCENES[name]!, 1440, 'light')
  if (wrong.length > 0) throw new Error(`${name}: ${wrong.join(' ')}`)
  await writeFile(join(FOLDER, `${name}-light.webp`), await webp(page, 70))
}
await gallery.close()
