export interface Frame {
  /** A WebP picture without transparency; all of a recording have one size. */
  readonly picture: Buffer
  readonly milliseconds: number
}

/**
 * Pictures as one that moves, over and over, as the container of WebP has it.
 * https://developers.google.com/speed/webp/docs/riff_container
 */
export function animate(frames: readonly Frame[], width: number, height: number): Buffer {
  const size = [uint(width - 1, 3), uint(height - 1, 3)]
  const ANIMATED = 2
  const head = chunk('VP8X', uint(ANIMATED, 4), ...size)
  // White behind it, without end.
  const manner = chunk('ANIM', uint(0xff_ff_ff_ff, 4), uint(0, 2))
  const moves = frames.map(({ picture, milliseconds }) =>
    chunk('ANMF', uint(0, 3), uint(0, 3), ...size, uint(milliseconds, 3), uint(0, 1), pixelsOf(picture)),
  )
  const body = Buffer.concat([Buffer.from('WEBP'), head, manner, ...moves])
  return Buffer.concat([Buffer.from('RIFF'), uint(body.length, 4), body])
}

/** The part of a picture that holds what is seen. */
function pixelsOf(picture: Buffer): Buffer {
  for (let at = 12; at < picture.length;) {
    const length = picture.readUInt32LE(at + 4)
    const end = at + 8 + length + (length % 2)
    if (/^VP8[ L]$/.test(picture.toString('latin1', at, at + 4))) return picture.subarray(at, end)
    at = end
  }
  throw new Error('A frame is no picture in WebP.')
}

function chunk(name: string, ...parts: readonly Buffer[]): Buffer {
  const data = Buffer.concat(parts)
  return Buffer.concat([Buffer.from(name), uint(data.length, 4), data, Buffer.alloc(data.length % 2)])
}

function uint(value: number, bytes: number): Buffer {
  const buffer = Buffer.alloc(bytes)
  buffer.writeUIntLE(value, 0, bytes)
  return buffer
}
