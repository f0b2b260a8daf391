// The thread in which a document is read and compiled: a hostile one can be ended, and takes its memory with it.
import { parentPort } from "node:worker_threads"
import type { MessagePort } from "node:worker_threads"
import { ExecutorError } from "../../../core/errors.ts"
import type { Limits } from "../../../core/limits.ts"
import { compileDocument } from "./compile.ts"
import type { CompileJob, FileAnswer, FromCompiler, ToCompiler } from "./message.ts"
import { externalUrls, mayReferOutside } from "../document/externals.ts"
import { decodeText, parseText } from "../document/parse.ts"
import type { DocumentFile } from "../document/resolve.ts"
import { collectWarnings } from "../../document-warnings.ts"
import type { Warnings } from "../../document-warnings.ts"

/** The server decides which of them are fetched, and has other things to do. */
const urlsAskedMax = 1_000

type NamedFile = DocumentFile & { readonly url: string }
type Files = { readonly texts: Map<string, string>; readonly parsed: Map<string, DocumentFile> }

if (parentPort) listen(parentPort)

function listen(port: MessagePort): void {
  port.once("message", (message: ToCompiler) => {
    if (message.kind !== "job") return
    void answer(message.job, port).finally(() => port.close())
  })
}

async function answer(job: CompileJob, port: MessagePort): Promise<void> {
  const say = (message: FromCompiler, transfer: readonly ArrayBuffer[] = []): void => port.postMessage(message, [...transfer])
  try {
    const warnings = collectWarnings(job.options.limits.warningsMax)
    const { root, mayNeedFiles } = readMain(job.bytes, job.options.limits, warnings)
    const files: Files = { texts: new Map(), parsed: new Map() }
    const documentUrl = job.options.documentUrl
    for (const [url, text] of job.files) addFile({ url, ok: true, text }, files, job.options.limits, warnings)
    if (job.mayAsk && mayNeedFiles && documentUrl !== null)
      await askForFiles({ url: documentUrl, isMain: true, root }, files, job.options.limits, warnings, port)
    const compiled = compileDocument({ url: documentUrl, isMain: true, root }, files.parsed, warnings, job.options)
    const { facts, tools, definitions } = compiled
    const answered = { facts, tools, definitions: [...definitions], bytes: job.bytes, files: [...files.texts] }
    say({ kind: "done", answer: answered }, [job.bytes.buffer])
  } catch (error) {
    if (!(error instanceof ExecutorError)) throw error
    say({ kind: "refused", code: error.code, message: error.message })
  }
}

/** A function of its own, so that the text is gone before anything else is made of it. */
function readMain(bytes: Uint8Array, limits: Limits, warnings: Warnings): { readonly root: unknown; readonly mayNeedFiles: boolean } {
  const text = decodeText(bytes)
  const { value, warning } = parseText(text, limits.documentNodesMax)
  if (warning !== null) warnings.add("#", warning)
  return { root: value, mayNeedFiles: mayReferOutside(text) }
}

/** Files may refer to further files, so this goes on until nothing new is named. */
async function askForFiles(main: NamedFile, files: Files, limits: Limits, warnings: Warnings, port: MessagePort): Promise<void> {
  const asked = new Set([main.url, ...files.parsed.keys()])
  let unread: NamedFile[] = [main]
  for (;;) {
    const named = new Set<string>()
    for (const file of unread) for (const url of externalUrls(file.root, file.url)) if (!asked.has(url)) named.add(url)
    const urls = [...named].slice(0, urlsAskedMax)
    if (urls.length < named.size)
      warnings.add("#", `The document refers to ${named.size} other files; ${urls.length} of them are considered`)
    if (urls.length === 0) return
    for (const url of named) asked.add(url)
    const answers = await ask(urls, port)
    unread = answers.map((file) => addFile(file, files, limits, warnings)).filter((file) => file !== null)
  }
}

function ask(urls: readonly string[], port: MessagePort): Promise<readonly FileAnswer[]> {
  return new Promise((resolve) => {
    port.once("message", (message: ToCompiler) => resolve(message.kind === "reply" ? message.reply : []))
    port.postMessage({ kind: "ask", asked: urls } satisfies FromCompiler)
  })
}

function addFile(file: FileAnswer, files: Files, limits: Limits, warnings: Warnings): NamedFile | null {
  if (!file.ok) {
    warnings.add(file.url, file.reason)
    return null
  }
  try {
    const parsed: NamedFile = { url: file.url, isMain: false, root: parseText(file.text, limits.documentNodesMax).value }
    files.texts.set(file.url, file.text)
    files.parsed.set(file.url, parsed)
    return parsed
  } catch (error) {
    if (!(error instanceof ExecutorError)) throw error
    warnings.add(file.url, error.message)
    return null
  }
}
