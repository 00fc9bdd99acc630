import { saveFile } from './save-file.ts'

const TITLE = 34
const MARGIN = 16
/** Pixels of the picture for each of the drawing. */
const SCALE = 2
/** Copy the computed styles, since a file has no style sheet. */
const STYLES = [
  'fill',
  'fill-opacity',
  'stroke',
  'stroke-width',
  'font-family',
  'font-size',
  'paint-order',
  'text-anchor',
]

/** Saves a drawing with its title as an SVG file. */
export function saveSvg(drawing: SVGSVGElement, title: string): void {
  saveFile(`${fileName(title)}.svg`, svgOf(drawing, title).file)
}

/** Saves a drawing with its title as a PNG file, at twice its size. */
export async function savePng(drawing: SVGSVGElement, title: string): Promise<void> {
  const { file, width, height } = svgOf(drawing, title)
  const url = URL.createObjectURL(file)
  try {
    const image = new Image()
    image.src = url
    await image.decode()
    const canvas = document.createElement('canvas')
    canvas.width = width * SCALE
    canvas.height = height * SCALE
    canvas.getContext('2d')!.drawImage(image, 0, 0, canvas.width, canvas.height)
    const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/png'))
    if (blob !== null) saveFile(`${fileName(title)}.png`, blob)
  } finally {
    URL.revokeObjectURL(url)
  }
}

function fileName(title: string): string {
  return (
    title
      .replaceAll(/[^\p{L}\p{N}]+/gu, '-')
      .replaceAll(/^-|-$/g, '')
      .slice(0, 60) || 'chart'
  )
}

/** The drawing on its background, below its title, with the styles of the page written into it. */
function svgOf(drawing: SVGSVGElement, title: string) {
  const [w, h] = [drawing.width.baseVal.value, drawing.height.baseVal.value]
  const [width, height] = [w + 2 * MARGIN, h + TITLE + 2 * MARGIN]
  const copy = drawing.cloneNode(true) as SVGSVGElement
  const copies = copy.querySelectorAll('*')
  for (const [at, element] of drawing.querySelectorAll('*').entries()) {
    const style = getComputedStyle(element)
    for (const name of STYLES) copies[at]!.setAttribute(name, style.getPropertyValue(name))
    copies[at]!.removeAttribute('class')
  }
  const page = getComputedStyle(drawing)
  const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg')
  for (const [name, value] of Object.entries({ width, height, viewBox: `0 0 ${width} ${height}` })) {
    svg.setAttribute(name, String(value))
  }
  const part = (name: string, attributes: Readonly<Record<string, string | number>>): SVGElement => {
    const element = document.createElementNS('http://www.w3.org/2000/svg', name)
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, String(value))
    svg.append(element)
    return element
  }
  part('rect', { width, height, fill: page.getPropertyValue('--surface') })
  const text = { 'font-family': page.fontFamily, 'font-size': 15, 'font-weight': 600, fill: page.color }
  part('text', { x: MARGIN, y: MARGIN + 14, ...text }).textContent = title
  part('g', { transform: `translate(${MARGIN} ${MARGIN + TITLE})` }).append(...copy.childNodes)
  const file = new Blob([new XMLSerializer().serializeToString(svg)], { type: 'image/svg+xml' })
  return { file, width, height }
}
