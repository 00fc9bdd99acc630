/** Plain JavaScript, because these functions run in pages and cannot import. */

/** The focused element by its accessible name, and the reason if its focus is not visible. */
export function focusInPage() {
  const one = document.activeElement
  const label = one.getAttribute('aria-label') ?? one.closest('label')?.textContent ?? one.textContent
  const box = one.getBoundingClientRect()
  const isIn = box.bottom > 0 && box.top < innerHeight && box.right > 0 && box.left < innerWidth
  // Text fields have a caret; a permanent shadow is not a focus mark.
  const isField = /^(?:INPUT|TEXTAREA)$/.test(one.tagName)
  const isMarked = isField || getComputedStyle(one).outlineStyle === 'solid'
  const unseen = isIn ? (isMarked ? '' : 'has no mark') : `is at ${box.left}, ${box.top}`
  return { name: `${one.tagName} ${label.trim()}`, unseen }
}

/** Calls `clicked` for each click of the user, but not for clicks by scripts. */
export function tellClicks() {
  addEventListener('click', ({ isTrusted }) => isTrusted && globalThis.clicked(), { capture: true })
}

/**
 * The frames of a recording.
 * @param {string} base64
 * @returns {Promise<[milliseconds: number, colour: string][]>} of each its time, and whether red, green and blue are bright in its middle
 */
export async function framesInPage(base64) {
  const data = Uint8Array.from(atob(base64), (sign) => sign.codePointAt(0))
  const decoder = new ImageDecoder({ data, type: 'image/webp' })
  await decoder.tracks.ready
  await decoder.completed
  const frames = []
  for (let frameIndex = 0; frameIndex < decoder.tracks.selectedTrack.frameCount; frameIndex++) {
    const { image } = await decoder.decode({ frameIndex })
    const context = new OffscreenCanvas(image.displayWidth, image.displayHeight).getContext('2d')
    context.drawImage(image, 0, 0)
    const middle = context.getImageData(image.displayWidth / 2, image.displayHeight / 2, 1, 1).data
    const bright = Array.from(middle.slice(0, 3), (value) => (value > 128 ? 1 : 0))
    frames.push([image.duration / 1000, bright.join('')])
  }
  return frames
}
