// Log lines on stderr: JSON for machines, plain text on a terminal; the rest of the program knows only this narrow shape.
import { pino } from "pino"
import { logText } from "./log-text.ts"

type Fields = Record<string, unknown>
export type Log = {
  debug(fields: Fields, message: string): void
  info(fields: Fields, message: string): void
  warn(fields: Fields, message: string): void
  error(fields: Fields, message: string): void
}

export const logLevels = ["debug", "info", "warn", "error", "silent"] as const
export type LogLevel = (typeof logLevels)[number]

export function createLog(level: LogLevel): Log {
  const options = { level, base: null, timestamp: pino.stdTimeFunctions.isoTime }
  if (!process.stderr.isTTY) return pino(options, pino.destination({ dest: 2, sync: false }))
  return pino(
    { ...options, formatters: { level: (label) => ({ level: label }) } },
    { write: (line) => process.stderr.write(logText(line)) },
  )
}

export const silentLog: Log = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} }
