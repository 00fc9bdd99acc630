import type { Plugin } from 'vite'
import { fileOf, guidePages, menuOf, type GuidePage } from './pages.ts'

/** Where the web app has the page that all others are made of. */
const TEMPLATE = 'guide/index.html'

/** Makes the pages of `docs/` part of the web app, under `/guide`. */
export function guide(): Plugin {
  return {
    name: 'guide',
    enforce: 'post',
    generateBundle: {
      order: 'post',
      handler(_options, bundle) {
        const template = bundle[TEMPLATE]
        if (template?.type !== 'asset') throw new Error(`${TEMPLATE} is not built.`)
        const source = String(template.source)
        const pages = guidePages()
        const menu = menuOf(pages)
        delete bundle[TEMPLATE]
        for (const page of [...pages, notFound()]) {
          this.emitFile({ type: 'asset', fileName: `guide/${page.name}.html`, source: fileOf(page, source, menu) })
        }
      },
    },
  }
}

function notFound(): GuidePage {
  const title = 'This page does not exist'
  const html = `<h1>${title}</h1><p><a href="/guide">See all pages</a>.</p>`
  return { name: 'not-found', title, html, ids: [], broken: [] }
}
