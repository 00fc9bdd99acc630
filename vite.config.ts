import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { defineConfig, type Plugin } from 'vite'
import { guide } from './scripts/guide/plugin.ts'
import pdfjs from 'pdfjs-dist/package.json' with { type: 'json' }

/** What pages of PDF files are drawn with besides its program: characters, fonts, decoders. In a folder of its version. */
function partsOfPdf(): Plugin {
  const parts = join(import.meta.dirname, 'node_modules', 'pdfjs-dist')
  return {
    name: 'parts-of-pdf',
    writeBundle({ dir }) {
      const target = join(dir!, 'assets', `pdf-${pdfjs.version}`)
      for (const name of ['cmaps', 'standard_fonts']) cpSync(join(parts, name), join(target, name), { recursive: true })
      for (const name of ['jbig2', 'openjpeg']) {
        const file = join('wasm', `${name}_nowasm_fallback.js`)
        cpSync(join(parts, file), join(target, file))
      }
    },
  }
}

/** All but what the guide has, too, which is to load nothing of the app. */
const OF_THE_APP = /^(?!.*([\\/]src[\\/]web[\\/]guide[\\/]|\.css$))/

/** Builds the web app into `dist/web/`; `npm run build` calls it. */
export default defineConfig({
  root: 'src/web',
  base: '/',
  plugins: [react(), tailwindcss(), partsOfPdf(), guide()],
  build: {
    outDir: '../../dist/web',
    emptyOutDir: true,
    target: 'es2023',
    assetsInlineLimit: 0,
    rolldownOptions: {
      input: ['src/web/index.html', 'src/web/guide/index.html'],
      output: {
        // Without groups each icon is a file of its own, and a page asks for a hundred.
        codeSplitting: {
          includeDependenciesRecursively: false,
          groups: [
            { name: 'first', tags: ['$initial'], test: OF_THE_APP },
            { name: 'icons', test: /[\\/]lucide-react[\\/]/ },
          ],
        },
        // Files need each other in a circle then, and must still run in the order of the sources.
        strictExecutionOrder: true,
      },
    },
    modulePreload: { polyfill: false },
    // What draws PDF files is large, and loaded when one is opened.
    chunkSizeWarningLimit: 600,
  },
})
