// Finds the servers of a long inline document in a thread of its own.
import { defaultLimits } from "../../../core/limits.ts"
import { runInThread } from "../../thread-run.ts"

export type ServersJob = { readonly document: string; readonly variables: Readonly<Record<string, string>> }

export function documentServersInThread(job: ServersJob): Promise<string[]> {
  // Source and build differ in the extension only.
  const file = new URL(import.meta.url.endsWith(".ts") ? "./server-literal-worker.ts" : "./server-literal-worker.js", import.meta.url)
  const timeoutMs = defaultLimits.documentCompileMs
  return runInThread<string[]>(file, job, {
    name: "openapi-servers",
    timeoutMs,
    signal: AbortSignal.timeout(2 * timeoutMs),
    transfer: [],
    reply: (asked) => Promise.reject(new Error(`The thread asks for nothing, and asked for ${String(asked)}`)),
  })
}
