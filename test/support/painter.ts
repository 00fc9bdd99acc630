import { z } from 'zod'
import { defineAgent, type Agent } from '../../src/domain/actor.ts'
import type { ArtifactFile } from '../../src/domain/artifacts.ts'
import { BY_USER } from '../../src/domain/provenance.ts'
import { defineTool } from '../../src/domain/tool.ts'

export const SVG = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 480 320" width="480" height="320">
<style>text { font: 14px sans-serif }</style><script>document.title = 'ran'</script>
${Array.from({ length: 35 }, (_, n) => `<rect x="${60 + (n % 7) * 56}" y="${30 + Math.floor(n / 7) * 48}" width="54" height="46" fill="hsl(${220 - ((n * 37) % 200)} 70% 55%)"/>`).join('')}
<text x="60" y="300">Orders by weekday and hour</text></svg>`

const FILES: readonly ArtifactFile[] = [
  { name: 'heat map.svg', mediaType: 'image/svg+xml', bytes: Buffer.from(SVG) },
  { name: 'page.html', mediaType: 'text/html', bytes: Buffer.from('<script>alert(1)</script>') },
]

/** An agent that stores files by a tool, as Python and API calls do. */
export function painter(files = FILES): Agent {
  return defineAgent({
    name: 'painter',
    description: 'Paints.',
    capabilities: [],
    useCases: [],
    keywords: ['paint'],
    async run(_task, ctx) {
      const paint = defineTool({
        name: 'paint',
        description: 'Paints.',
        effect: 'read',
        provenance: BY_USER,
        input: z.object({}),
        run: async () => ({ images: await Promise.all(files.map((file) => ctx.artifacts.keep(file))) }),
      })
      await ctx.call(paint, {})
      return { answer: 'Most orders come in on Monday morning.' }
    },
  })
}
