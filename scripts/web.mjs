import { join } from 'node:path'

const root = join(import.meta.dirname, '..')

/**
 * Builds the web app.
 * @param target where it is written; nothing is when it is undefined
 * @returns the folders of the packages that are in it
 */
export async function buildWeb(target) {
  const { build } = await import('vite')
  // Tailwind's own rules are in the style sheet, without being a module of it.
  const packages = new Set(['node_modules/tailwindcss'])
  const collect = {
    name: 'collect-packages',
    moduleParsed({ id }) {
      const found = /^.*\/(node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(id.replaceAll('\\', '/'))
      if (found !== null) packages.add(found[1])
    },
  }
  const before = process.env.NODE_ENV
  // Also where the environment says otherwise, as that of a test does.
  process.env.NODE_ENV = 'production'
  try {
    await build({
      configFile: join(root, 'vite.config.ts'),
      logLevel: 'warn',
      plugins: [collect],
      build: target === undefined ? { write: false } : { outDir: target },
    })
  } finally {
    if (before === undefined) delete process.env.NODE_ENV
    else process.env.NODE_ENV = before
  }
  return [...packages].sort()
}
