// Compiles a document in a thread of its own, and fetches the files that the thread asks for.
import { threadFile } from "../../../io/thread.ts"
import { runInThread } from "../../thread-run.ts"
import type { CompileAnswer, CompileJob, FileAnswer } from "./message.ts"

export type CompileThreadParts = {
  readonly timeoutMs: number
  readonly signal: AbortSignal
  /** Answers what the thread asks for; it never rejects. */
  fetchFiles(urls: readonly string[]): Promise<readonly FileAnswer[]>
}

export function compileInThread(job: CompileJob, parts: CompileThreadParts): Promise<CompileAnswer> {
  const file = threadFile("worker", import.meta.url)
  const { timeoutMs, signal, fetchFiles } = parts
  return runInThread(file, job, { name: "openapi-compile", timeoutMs, signal, transfer: [job.bytes.buffer], reply: fetchFiles })
}
