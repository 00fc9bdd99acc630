import { describe, expect, it } from 'vitest'
import { pdf } from '../../../test/documents/support/files.ts'
import { parseDocument } from './parse.ts'

describe('what a PDF draws', () => {
  it('reads text once that is drawn twice for bold', async () => {
    const bytes = await pdf((pdf) => {
      for (const x of [72, 72.35]) pdf.fontSize(12).text('A double room costs 84 euros', x, 100)
    })
    expect((await parseDocument({ name: 'rates.pdf', bytes })).text).toBe('A double room costs 84 euros')
  })

  it('reads glyphs from left to right that are drawn in another order', async () => {
    const bytes = await pdf((pdf) => {
      for (const x of [72, 72.35]) pdf.fontSize(12).text('Yield', x, 100)
      const digit = pdf.widthOfString('7')
      for (const [text, x] of [
        ['7', 0],
        ['6', digit + pdf.widthOfString('.')],
        ['.', digit],
      ] as const) {
        pdf.text(text, 200 + x, 100, { lineBreak: false })
      }
    })
    expect((await parseDocument({ name: 'yield.pdf', bytes })).text).toContain('7.6')
  })

  it('reads cells that span rows where lines are drawn, with or without lines at the edges', async () => {
    const [ys, xs] = [
      [100, 130, 160, 190, 220],
      [100, 200, 300, 400],
    ]
    for (const sides of [xs, xs.slice(1, -1)]) {
      const bytes = await pdf((pdf) => {
        for (const x of sides) pdf.moveTo(x, 100).lineTo(x, 220).stroke()
        for (const y of ys)
          pdf
            .moveTo(y > 130 && y < 220 ? 200 : 100, y)
            .lineTo(400, y)
            .stroke()
        const texts: [text: string, x: number, y: number][] = [
          ['Region', 110, 108],
          ['Depot', 210, 108],
          ['Tonnes', 310, 108],
          ['Alder', 210, 138],
          ['1', 310, 138],
          ['North', 110, 168],
          ['Birch and', 210, 162],
          ['Beech', 210, 175],
          ['2', 310, 168],
          ['Cedar', 210, 198],
          ['3', 310, 198],
        ]
        for (const [text, x, y] of texts) pdf.fontSize(10).text(text, x, y, { lineBreak: false })
      })
      expect((await parseDocument({ name: 'a.pdf', bytes })).text.split('\n')).toEqual([
        'Region | Depot | Tonnes',
        'North | Alder | 1',
        'North | Birch and Beech | 2',
        'North | Cedar | 3',
      ])
    }
  })
})
