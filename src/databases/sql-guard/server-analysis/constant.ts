import type { LiteralArgument } from '../size.ts'
import { isNode, type ParseNode, type ParseValue } from './tree.ts'

const INT8 = '20'
const INT2 = '21'
const INT4 = '23'
const TEXT = '25'
const NUMERIC = '1700'
/** Of a value of variable length. */
const HEADER_BYTES = 4
/** `NBASE` of `numeric.c`. */
const NUMERIC_BASE = 10_000

/** The literal that an argument is, also under a cast; `undefined` for any other expression. */
export function literalOf(value: ParseValue): LiteralArgument {
  if (!isNode(value)) return undefined
  if (value.tag === 'CONST') return constantOf(value)
  const args = value.fields.get('args')
  const isCast = value.tag === 'FUNCEXPR' && value.fields.get('funcformat') !== '0'
  return isCast && Array.isArray(args) ? literalOf((args as readonly ParseValue[])[0] ?? '') : undefined
}

/** Integers are read as the machine of most servers writes them, lowest byte first; on others they come out too large. */
function constantOf({ fields }: ParseNode): LiteralArgument {
  const value = fields.get('constvalue')
  if (!Array.isArray(value)) return undefined
  const bytes = Buffer.from(value.map((byte) => Number(byte) & 255))
  switch (fields.get('consttype')) {
    case INT8:
      return bytes.length < 8 ? undefined : Number(bytes.readBigInt64LE())
    case INT4:
    case INT2:
      return bytes.length < 4 ? undefined : bytes.readInt32LE()
    case TEXT:
      return bytes.subarray(HEADER_BYTES).toString('utf8')
    case NUMERIC:
      return numericOf(bytes.subarray(HEADER_BYTES))
    default:
      return undefined
  }
}

/** `NumericShort` and `NumericLong` of `numeric.c`. Infinity and NaN count as infinite. */
function numericOf(bytes: Buffer): LiteralArgument {
  if (bytes.length < 2) return undefined
  const header = bytes.readUInt16LE()
  const flags = header & 0xc0_00
  if (flags === 0xc0_00) return Infinity
  const isShort = flags === 0x80_00
  if (!isShort && bytes.length < 4) return undefined
  const isNegative = isShort ? (header & 0x20_00) !== 0 : flags === 0x40_00
  const weight = isShort ? (header & 0x3f) - (header & 0x40) : bytes.readInt16LE(2)
  let sum = 0
  for (let at = isShort ? 2 : 4, power = weight; at + 1 < bytes.length; at += 2, power -= 1) {
    sum += bytes.readUInt16LE(at) * NUMERIC_BASE ** power
  }
  return isNegative ? -sum : sum
}
