import { encode } from 'uqr'

/** Blank around it on each side, in modules: less, and cameras do not find it. */
const QUIET = 4
const MODULE_PX = 4

/** A QR code. Black on white in every theme, since few cameras read inverted codes. */
export default function QrCode({ text, label }: { text: string; label: string }) {
  const { data } = encode(text, { ecc: 'M', border: QUIET })
  const path = data.map((row, y) => row.map((isBlack, x) => (isBlack ? `M${x} ${y}h1v1h-1z` : '')).join('')).join('')
  const size = data.length * MODULE_PX
  return (
    <svg
      role="img"
      aria-label={label}
      className="flex-none rounded-lg forced-color-adjust-none"
      width={size}
      height={size}
      viewBox={`0 0 ${data.length} ${data.length}`}
      shapeRendering="crispEdges"
    >
      <rect width="100%" height="100%" fill="#fff" />
      <path d={path} fill="#000" />
    </svg>
  )
}
