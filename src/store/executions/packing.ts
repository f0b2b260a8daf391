// Compresses long texts where that is cheaper than writing them: in SQLite, on the journal's thread.
//
// Measured on JSON of APIs: below 32 KB compressing costs more CPU than the pages it saves, from there on it is free
// and saves nine tenths of the disk. PostgreSQL compresses long values by itself.
import { promisify } from "node:util"
import { constants, zstdCompressSync, zstdDecompress } from "node:zlib"

/** As it was written, or compressed. */
export type Packed = string | Uint8Array

const charsMin = 32 * 1024
/** Higher levels take more than twice as long and save a hundredth. */
const options = { params: { [constants.ZSTD_c_compressionLevel]: 1 } }

export function pack(text: string): Packed {
  if (text.length < charsMin) return text
  const bytes = zstdCompressSync(text, options)
  return bytes.length < text.length ? bytes : text
}

// Outside the main thread: a result has up to 16 MB.
const decompress = promisify(zstdDecompress)

type Unpacked<Row, Field extends keyof Row> = { [Name in keyof Row]: Name extends Field ? Exclude<Row[Name], Uint8Array> : Row[Name] }

/** The rows with the named fields as text. Rows without a compressed value cost nothing. */
export async function unpack<Row extends object, Field extends keyof Row>(
  rows: readonly Row[],
  fields: readonly Field[],
): Promise<Unpacked<Row, Field>[]> {
  const isPacked = (row: Row): boolean => fields.some((field) => row[field] instanceof Uint8Array)
  if (!rows.some(isPacked)) return rows as Unpacked<Row, Field>[] // none of the fields holds bytes
  const unpacked = rows.map((row) =>
    unpackRow(
      row,
      fields.filter((field) => row[field] instanceof Uint8Array),
    ),
  )
  return (await Promise.all(unpacked)) as Unpacked<Row, Field>[] // whatever was bytes is text now
}

async function unpackRow<Row extends object>(row: Row, packed: readonly (keyof Row)[]): Promise<Row> {
  const texts = await Promise.all(packed.map(async (field) => [field, (await decompress(row[field] as Uint8Array)).toString()] as const)) // only bytes are packed
  return { ...row, ...Object.fromEntries(texts) }
}
