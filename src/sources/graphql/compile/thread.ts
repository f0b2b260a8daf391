// Compiles a schema in a thread of its own.
import { threadFile } from "../../../io/thread.ts"
import { runInThread } from "../../thread-run.ts"
import type { CompileAnswer, CompileJob } from "./message.ts"

export type CompileThreadParts = { readonly timeoutMs: number; readonly signal: AbortSignal }

export function compileInThread(job: CompileJob, { timeoutMs, signal }: CompileThreadParts): Promise<CompileAnswer> {
  const file = threadFile("worker", import.meta.url)
  const transfer = [job.bytes.buffer]
  return runInThread(file, job, { name: "graphql-compile", timeoutMs, signal, transfer, reply: () => Promise.reject(new Error("unasked")) })
}
