import { crc32 } from 'node:zlib'
import { arraysOf, numbersOf, type SegmentArray } from './arrays.ts'
import type { Column, Segment } from './segment.ts'

/** The version of the layout below. Any other is refused, and the index built anew. */
export const SEGMENT_FORMAT = 1

// magic u32 · version u32 · crc32 of all that follows u32 · bytes of the table u32 · table as JSON ·
// then the arrays, little-endian, each at a multiple of 8.
const MAGIC = 0x47455331
const HEADER_BYTES = 16
const ALIGNMENT = 8

const ARRAY_TYPES = {
  u8: Uint8Array,
  i32: Int32Array,
  f64: Float64Array,
  i64: BigInt64Array,
} as const
type ArrayType = keyof typeof ARRAY_TYPES

interface TableArray {
  readonly name: string
  readonly type: ArrayType
  readonly offset: number
  readonly length: number
}
interface TableColumn {
  readonly path: string
  readonly kind: Column['kind']
  readonly numbers: Readonly<Record<string, number>>
  readonly arrays: readonly TableArray[]
}
interface Table {
  readonly docCount: number
  readonly rows: TableArray
  readonly columns: readonly TableColumn[]
}

const align = (offset: number) => Math.ceil(offset / ALIGNMENT) * ALIGNMENT

const typeOf = (array: SegmentArray): ArrayType =>
  array instanceof Uint8Array
    ? 'u8'
    : array instanceof Int32Array
      ? 'i32'
      : array instanceof Float64Array
        ? 'f64'
        : 'i64'

/** One segment as bytes, checksum included. */
export function encodeSegment(segment: Segment): Uint8Array {
  const placed: { array: SegmentArray; offset: number }[] = []
  let dataBytes = 0
  const place = (name: string, array: SegmentArray): TableArray => {
    const offset = dataBytes
    placed.push({ array, offset })
    dataBytes = align(offset + array.byteLength)
    return { name, type: typeOf(array), offset, length: array.length }
  }
  const table: Table = {
    docCount: segment.docCount,
    rows: place('rows', segment.rows),
    columns: Array.from(segment.columns, ([path, column]) => ({
      path,
      kind: column.kind,
      numbers: numbersOf(column),
      arrays: Object.entries(arraysOf(column)).map(([name, array]) => place(name, array)),
    })),
  }
  const tableBytes = new TextEncoder().encode(JSON.stringify(table))
  const dataStart = align(HEADER_BYTES + tableBytes.length)
  const bytes = new Uint8Array(dataStart + dataBytes)
  bytes.set(tableBytes, HEADER_BYTES)
  for (const { array, offset } of placed)
    bytes.set(new Uint8Array(array.buffer, array.byteOffset, array.byteLength), dataStart + offset)
  const header = new DataView(bytes.buffer)
  header.setUint32(0, MAGIC, true)
  header.setUint32(4, SEGMENT_FORMAT, true)
  header.setUint32(12, tableBytes.length, true)
  header.setUint32(8, crc32(bytes.subarray(12)), true)
  return bytes
}

/**
 * The segment `encodeSegment` wrote; its arrays are views of `bytes` where these are aligned.
 * @throws {Error} when bytes are damaged or of an unknown version: build anew from the documents.
 */
export function decodeSegment(bytes: Uint8Array): Segment {
  const header = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (bytes.length < HEADER_BYTES || header.getUint32(0, true) !== MAGIC)
    throw new Error('these bytes are no segment')
  const version = header.getUint32(4, true)
  if (version !== SEGMENT_FORMAT)
    throw new Error(`segment has format ${version}, this engine reads ${SEGMENT_FORMAT}`)
  if (crc32(bytes.subarray(12)) !== header.getUint32(8, true))
    throw new Error('segment is damaged: its checksum does not fit')
  const tableEnd = HEADER_BYTES + header.getUint32(12, true)
  // The checksum has vouched for the table's shape.
  const table = JSON.parse(
    new TextDecoder().decode(bytes.subarray(HEADER_BYTES, tableEnd)),
  ) as Table
  const dataStart = align(tableEnd)
  const read = ({ type, offset, length }: TableArray) =>
    readArray(bytes, type, dataStart + offset, length)
  return {
    docCount: table.docCount,
    rows: toInts(read(table.rows)),
    columns: new Map(
      table.columns.map(({ path, kind, numbers, arrays }) => [
        path,
        toColumn(kind, numbers, new Map(arrays.map((array) => [array.name, read(array)]))),
      ]),
    ),
  }
}

function readArray(bytes: Uint8Array, type: ArrayType, at: number, length: number): SegmentArray {
  const Type = ARRAY_TYPES[type]
  const size = length * Type.BYTES_PER_ELEMENT
  const start = bytes.byteOffset + at
  return start % Type.BYTES_PER_ELEMENT === 0
    ? new Type(bytes.buffer as ArrayBuffer, start, length)
    : new Type(bytes.slice(at, at + size).buffer, 0, length)
}

// The checksum has vouched for the types of arrays; the casts below rest on it.
const toInts = (array: SegmentArray | undefined) => array as Int32Array
const toBytes = (array: SegmentArray | undefined) => array as Uint8Array

function toColumn(
  kind: Column['kind'],
  numbers: Readonly<Record<string, number>>,
  arrays: ReadonlyMap<string, SegmentArray>,
): Column {
  const ints = (name: string) => toInts(arrays.get(name))
  const docsWithField = numbers.docsWithField ?? 0
  if (kind === 'numeric')
    return {
      kind,
      start: ints('start'),
      values: arrays.get('values') as Float64Array | BigInt64Array,
      sorted: ints('sorted'),
      docOf: ints('docOf'),
      docsWithField,
    }
  const offsets = ints('termOffsets')
  const terms = { count: offsets.length - 1, bytes: toBytes(arrays.get('termBytes')), offsets }
  const postings = { start: ints('postingStart'), docs: ints('postingDocs') }
  if (kind === 'keyword')
    return { kind, terms, postings, ordStart: ints('ordStart'), ords: ints('ords'), docsWithField }
  return {
    kind,
    terms,
    postings,
    posOffset: ints('posOffset'),
    positions: ints('positions'),
    norms: toBytes(arrays.get('norms')),
    docsWithField,
    sumOfLengths: numbers.sumOfLengths ?? 0,
  }
}
