// Reads a document that somebody adds: what its text is, and its title.
import { promisify } from "node:util"
import { zstdCompress, zstdDecompress } from "node:zlib"
import { ExecutorError } from "../core/errors.ts"
import { raiseLimit } from "../core/limits.ts"
import type { Scope } from "../core/principal.ts"
import type { DocumentAdd, DocumentFile, DocumentFormat } from "../core/retrieval/document.ts"
import { blocksOf } from "./chunking/blocks.ts"
import type { RetrievalParts } from "./parts.ts"

// These run outside the server's thread.
const compress = promisify(zstdCompress)
const decompress = promisify(zstdDecompress)

export const packText = (text: string): Promise<Uint8Array> => compress(Buffer.from(text))
export const unpackText = async (content: Uint8Array): Promise<string> => (await decompress(content)).toString()

export type ReadDocument = { readonly title: string; readonly text: string; readonly format: DocumentFormat }

type ReadParts = Pick<RetrievalParts, "limits" | "pages">

export async function readDocument(scope: Scope, input: DocumentAdd, parts: ReadParts): Promise<ReadDocument> {
  const { limits } = parts
  const given = (["text", "markdown", "html", "file"] as const).filter((name) => input[name] !== undefined)
  if (given.length !== 1)
    throw invalid(`Send exactly one of text, markdown, html and file${given.length === 0 ? "" : `, not ${given.join(" and ")}`}`)
  const raw = input.file === undefined ? contentOf(input) : readFile(input.file)
  if (Buffer.byteLength(raw.text) > limits.pipelineDocumentBytesMax)
    throw tooLarge(limits.pipelineDocumentBytesMax, "pipelineDocumentBytesMax")
  const { text, format, title } =
    raw.format === "html" ? await fromHtml(scope, raw.text, input, parts) : { ...raw, format: raw.format, title: null }
  const clean = text.toWellFormed().replaceAll("\0", "\uFFFD").replaceAll(/\r\n?/g, "\n")
  if (clean.trim() === "") throw invalid("The document has no text; add one that has")
  return { title: titleOf(input, title, clean, format, limits.nameCharsMax), text: clean, format }
}

type Raw = { readonly text: string; readonly format: DocumentFormat | "html" }

function contentOf({ text, markdown, html }: DocumentAdd): Raw {
  if (text !== undefined) return { text, format: "text" }
  return markdown === undefined ? { text: html ?? "", format: "html" } : { text: markdown, format: "markdown" }
}

function readFile({ name, data }: DocumentFile): Raw {
  const bytes = Buffer.from(data, "base64")
  if (unpadded(bytes.toString("base64")) !== unpadded(data.replaceAll(/\s/g, ""))) throw invalid("file.data must be base64")
  const text = decode(bytes)
  if (text === null || text.includes("\0"))
    throw invalid(
      `The file '${name.slice(0, 80)}' is not text in UTF-8; convert it to text, Markdown or HTML first, for example with pandoc or pdftotext`,
    )
  return { text, format: formatOf(name) }
}

function unpadded(base64: string): string {
  let end = base64.length
  while (base64[end - 1] === "=") end -= 1
  return base64.slice(0, end)
}

/** As UTF-8, or with the byte order mark of UTF-16; null where it is neither. */
function decode(bytes: Uint8Array): string | null {
  const isUtf16 = (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff)
  try {
    return new TextDecoder(isUtf16 ? (bytes[0] === 0xff ? "utf-16le" : "utf-16be") : "utf-8", { fatal: true }).decode(bytes)
  } catch {
    return null
  }
}

const formatOf = (name: string): Raw["format"] =>
  /\.(?:md|mdx|markdown)$/i.test(name) ? "markdown" : /\.(?:html?|xhtml)$/i.test(name) ? "html" : "text"

async function fromHtml(scope: Scope, html: string, { source }: DocumentAdd, { limits, pages }: ReadParts) {
  const bytes = Buffer.from(html)
  if (bytes.length > limits.webPageBytesMax) throw tooLarge(limits.webPageBytesMax, "webPageBytesMax")
  const url = source !== undefined && /^https?:\/\//.test(source) && URL.canParse(source) ? source : "https://document.invalid/"
  const outcome = await pages.read({
    job: { bytes, contentType: "text/html; charset=utf-8", url, format: "markdown", charsMax: limits.pipelineDocumentBytesMax },
    who: scope.tenant,
    timeoutMs: limits.webPageReadMs,
    signal: new AbortController().signal,
  })
  if (outcome.status === "done" && outcome.answer.ok)
    return { text: outcome.answer.content, title: outcome.answer.title, format: "markdown" as const }
  const reason = outcome.status === "done" && !outcome.answer.ok ? outcome.answer.message : outcome.status
  throw invalid(`The HTML cannot be read (${reason}); send its text or Markdown instead`)
}

/** What was given, what the document calls itself, or where it comes from. */
function titleOf(input: DocumentAdd, found: string | null, text: string, format: DocumentFormat, charsMax: number): string {
  if (input.title !== undefined && input.title.trim() === "")
    throw invalid("title must not be empty; leave it out to use the first heading")
  const name = (input.source ?? input.file?.name ?? "").split(/[/\\]/).at(-1)
  const title = input.title ?? (found?.trim() || firstHeading(text, format)) ?? name
  return (
    (title ?? "")
      .replaceAll(/[\p{Cc}\s]+/gu, " ")
      .trim()
      .slice(0, charsMax)
      .toWellFormed() || "Untitled"
  )
}

/** Only at the beginning: further down it is that of a part. */
function firstHeading(text: string, format: DocumentFormat): string | null {
  let seen = 0
  for (const block of blocksOf(text.slice(0, 10_000), format)) {
    if (block.kind === "pause") continue
    if (block.kind === "heading" && block.title !== "") return block.title
    if ((seen += 1) > 3) return null
  }
  return null
}

const invalid = (message: string): ExecutorError => new ExecutorError("invalid_request", message)
const tooLarge = (bytes: number, limit: "pipelineDocumentBytesMax" | "webPageBytesMax"): ExecutorError =>
  new ExecutorError("payload_too_large", `The document is larger than ${bytes} bytes; split it. ${raiseLimit(limit)}`)
