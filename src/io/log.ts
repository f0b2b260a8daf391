// Structured log lines on stderr; the rest of the program knows only this narrow shape.
import { pino } from "pino"

type Fields = Record<string, unknown>
export type Log = {
  debug(fields: Fields, message: string): void
  info(fields: Fields, message: string): void
  warn(fields: Fields, message: string): void
  error(fields: Fields, message: string): void
}

export const logLevels = ["debug", "info", "warn", "error", "silent"] as const
export type LogLevel = (typeof logLevels)[number]

export const createLog = (level: LogLevel): Log =>
  pino({ level, base: null, timestamp: pino.stdTimeFunctions.isoTime }, pino.destination({ dest: 2, sync: false }))

export const silentLog: Log = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} }
