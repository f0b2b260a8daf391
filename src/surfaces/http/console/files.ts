// The built files of the web console, as `npm run build` leaves them in `dist/web`.
import { readFileSync, readdirSync } from "node:fs"
import { extname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { brotliCompressSync, constants } from "node:zlib"

export type ConsoleFile = {
  readonly type: string
  readonly bytes: Uint8Array<ArrayBuffer>
  readonly packed: Uint8Array<ArrayBuffer> | null
}

export type ConsoleFiles = {
  /** The one page; its placeholder for a nonce is replaced for each answer. */
  readonly page: string
  /** Null for a name that was not built: nothing is read from the disk by a name that a stranger chose. */
  asset(name: string): ConsoleFile | null
}

/** The same way up from `src/` and from `dist/`. */
const builtFolder = fileURLToPath(new URL("../../../../dist/web/", import.meta.url))

const types: Readonly<Record<string, string>> = {
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".woff2": "font/woff2",
  ".svg": "image/svg+xml",
  ".png": "image/png",
  ".webmanifest": "application/manifest+json",
}

/** Null where the console was not built. Files are read and packed when they are first asked for. */
export function openConsoleFiles(folder = builtFolder): ConsoleFiles | null {
  const page = readOrNull(join(folder, "index.html"))?.toString("utf8")
  if (page === undefined) return null
  const names = new Set(readdirSync(join(folder, "assets")))
  const read = new Map<string, ConsoleFile>()
  return {
    page,
    asset(name) {
      const known = read.get(name)
      if (known !== undefined || !names.has(name)) return known ?? null
      const file = toFile(readFileSync(join(folder, "assets", name)), name)
      read.set(name, file)
      return file
    },
  }
}

function toFile(bytes: Buffer<ArrayBuffer>, name: string): ConsoleFile {
  const type = types[extname(name)] ?? "application/octet-stream"
  const isText = /^text|json|svg/.test(type)
  const quality = { [constants.BROTLI_PARAM_QUALITY]: 5 }
  return { type, bytes, packed: isText ? brotliCompressSync(bytes, { params: quality }) : null }
}

function readOrNull(path: string): Buffer | null {
  try {
    return readFileSync(path)
  } catch {
    return null
  }
}
