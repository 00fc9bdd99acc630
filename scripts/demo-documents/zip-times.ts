const END = 0x06054b50
const CENTRAL = 0x02014b50
const END_SIZE = 22
/** 1 January 2026, 00:00, as MS-DOS writes it: seven bits of year since 1980, four of month, five of day. */
const DATE = ((2026 - 1980) << 9) | (1 << 5) | 1

/**
 * Sets the time of every file in a ZIP archive to one fixed moment, so that the same content gives the same bytes. For
 * archives without a comment, as the office libraries write them.
 * @see APPNOTE.TXT 4.3.7, 4.3.12, 4.3.16 (PKWARE)
 */
export function withFixedTimes(zip: Buffer): Buffer {
  const fixed = Buffer.from(zip)
  const end = fixed.length - END_SIZE
  if (fixed.readUInt32LE(end) !== END) throw new RangeError('The ZIP archive does not end as expected.')
  let at = fixed.readUInt32LE(end + 16)
  for (let left = fixed.readUInt16LE(end + 10); left > 0; left--) {
    if (fixed.readUInt32LE(at) !== CENTRAL) throw new RangeError('The ZIP archive has no proper directory.')
    setTime(fixed, at + 12)
    setTime(fixed, fixed.readUInt32LE(at + 42) + 10)
    at += 46 + fixed.readUInt16LE(at + 28) + fixed.readUInt16LE(at + 30) + fixed.readUInt16LE(at + 32)
  }
  return fixed
}

function setTime(zip: Buffer, at: number): void {
  zip.writeUInt16LE(0, at)
  zip.writeUInt16LE(DATE, at + 2)
}
