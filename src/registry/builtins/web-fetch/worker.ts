// The thread that reads web pages, which are a stranger's.
import { parentPort } from "node:worker_threads"
import { decodePage } from "./charset.ts"
import type { PageAnswer, PageJob } from "./page-message.ts"
import { readPage } from "./readable.ts"

parentPort?.on("message", (job: PageJob) => parentPort?.postMessage(answer(job), []))

function answer({ bytes, contentType, url, format, charsMax }: PageJob): PageAnswer {
  try {
    const html = decodePage(bytes, contentType)
    const { title, content } = format === "html" ? { title: titleIn(html), content: html } : readPage(html, url, format)
    return { ok: true, title, content: content.slice(0, charsMax).toWellFormed(), totalChars: content.length }
  } catch (error) {
    const message = error instanceof RangeError ? "it is nested too deeply" : error instanceof Error ? error.message : String(error)
    return { ok: false, message }
  }
}

const titleIn = (html: string): string | null => /<title[^>]*>([^<]{1,1000})/i.exec(html)?.[1]?.trim() ?? null
