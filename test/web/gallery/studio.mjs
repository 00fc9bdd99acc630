/**
 * Small drawings of pages, made and read by a browser, so that no package is needed. Plain JavaScript, because they run
 * in a page and cannot import.
 */

/**
 * @param {readonly [png: string, scale: number]} given a picture as base64, and what part of it is kept in each direction
 * @returns {Promise<string>} a picture as base64
 */
export async function shrinkInPage([png, scale]) {
  const bitmap = await createImageBitmap(await (await fetch(`data:image/png;base64,${png}`)).blob())
  const canvas = new OffscreenCanvas(Math.round(bitmap.width / scale), Math.round(bitmap.height / scale))
  const context = canvas.getContext('2d')
  context.imageSmoothingQuality = 'high'
  context.drawImage(bitmap, 0, 0, canvas.width, canvas.height)
  // Fewer colours make a file of a fraction of the size.
  const picture = context.getImageData(0, 0, canvas.width, canvas.height)
  picture.data.forEach((value, at) => {
    picture.data[at] = at % 4 === 3 ? 255 : Math.min(255, Math.round(value / 16) * 16)
  })
  context.putImageData(picture, 0, 0)
  const bytes = new Uint8Array(await (await canvas.convertToBlob({ type: 'image/png' })).arrayBuffer())
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))
}

/**
 * Compares tile by tile, so that the edges of letters, which machines draw a little differently, do not count.
 * @param {readonly [first: string, second: string, tile: number]} given two pictures as base64, and how wide a tile is
 */
export async function differenceInPage([first, second, tile]) {
  const read = async (png) => {
    const bitmap = await createImageBitmap(await (await fetch(`data:image/png;base64,${png}`)).blob())
    const context = new OffscreenCanvas(bitmap.width, bitmap.height).getContext('2d')
    context.drawImage(bitmap, 0, 0)
    return context.getImageData(0, 0, bitmap.width, bitmap.height)
  }
  const [one, other] = [await read(first), await read(second)]
  if (one.width !== other.width || one.height !== other.height) return { worst: 255, at: [0, 0], share: 1 }
  const meanOf = (left, top) => {
    let sum = 0
    let count = 0
    for (let y = top; y < Math.min(top + tile, one.height); y++) {
      for (let x = left; x < Math.min(left + tile, one.width); x++) {
        const place = (y * one.width + x) * 4
        for (let colour = place; colour < place + 3; colour++, count++)
          sum += Math.abs(one.data[colour] - other.data[colour])
      }
    }
    return sum / count
  }
  const tiles = []
  for (let y = 0; y < one.height; y += tile) {
    for (let x = 0; x < one.width; x += tile) tiles.push({ at: [x, y], by: meanOf(x, y) })
  }
  const { at, by: worst } = tiles.toSorted((a, b) => b.by - a.by)[0]
  return { worst, at, share: tiles.filter(({ by }) => by > 6).length / tiles.length }
}
