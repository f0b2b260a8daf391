// When the platform's own `fetch` would give up before an execution does.
import type { OpenOptions } from "./open-executor.ts"

const fetchWaitMs = 240_000
const graceMs = 60_000

export const longTimeout = (timeoutMs: number | undefined): OpenOptions =>
  timeoutMs === undefined || timeoutMs < fetchWaitMs ? {} : { waitMs: timeoutMs + graceMs }
