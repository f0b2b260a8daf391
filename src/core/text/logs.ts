// The log lines of an execution as one text.
import type { LogLine } from "../execution.ts"

export const logText = (logs: readonly LogLine[]): string =>
  logs.map(({ level, text }) => (level === "log" ? text : `[${level}] ${text}`)).join("\n")
