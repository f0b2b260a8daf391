// Says what went wrong and what to do next: a sentence for people, and the API's own error for machines.
import { CommanderError } from "commander"
import { ExecutorError } from "../../../core/errors.ts"
import type { ErrorCode } from "../../../core/errors.ts"
import { commandsFor } from "../registry/command-words.ts"
import { NoServerError } from "../server/no-server-error.ts"
import type { Screen } from "./screen.ts"
import { safeJson, safeLine, safeText } from "../../../core/text/safe.ts"
import { UsageError } from "../usage-error.ts"

export function printError(error: unknown, printsJson: boolean, screen: Screen): void {
  if (printsJson) return screen.data(safeJson({ error: errorForMachines(error) }, 2))
  if (error instanceof ExecutorError && error.code === "unauthorized")
    return screen.note(describeError({ message: unknownToken() }, screen))
  if (error instanceof ExecutorError)
    return screen.note(describeError({ message: inCommandLineWords(error), details: error.details }, screen))
  if (error instanceof UsageError || error instanceof NoServerError) return screen.note(describeError({ message: error.message }, screen))
  const trace = error instanceof Error ? (error.stack ?? error.message) : String(error)
  screen.note(describeError({ message: `This is a bug. Please report it and include the details below.\n${trace}` }, screen))
}

/** What is not there is said by the API itself; other errors may be what an upstream says of routes of its own. */
const inCommandLineWords = ({ code, message }: ExecutorError): string => (code === "not_found" ? commandsFor(message) : message)

/** The API speaks of its headers; whoever types commands has a variable or a file. */
const unknownToken = (): string =>
  process.env["EXECUTOR_TOKEN"]
    ? "The server does not accept the token in EXECUTOR_TOKEN: it is unknown or was revoked. Set another token, or unset EXECUTOR_TOKEN to act as yourself"
    : "The server does not accept the token in this data directory, which may belong to another server. Set EXECUTOR_TOKEN, or point EXECUTOR_DATA_DIR at that server's data"

/** In the API's own words, also where it was not reached. */
function errorForMachines(error: unknown): { code: ErrorCode; message: string; details?: unknown } {
  if (error instanceof ExecutorError) {
    const { code, message, details } = error
    return { code, message, ...(details === undefined ? {} : { details }) }
  }
  const message = error instanceof Error ? error.message : String(error)
  if (error instanceof CommanderError)
    return {
      code: "invalid_request",
      message: error.code === "commander.help" ? "An argument is missing; see --help" : message.replace(/^error: /, ""),
    }
  if (error instanceof UsageError) return { code: "invalid_request", message }
  return { code: error instanceof NoServerError ? "upstream_unreachable" : "internal", message }
}

/** Commander has told people already. */
export function printCommanderError(error: CommanderError, printsJson: boolean, screen: Screen): void {
  if (printsJson) screen.data(safeJson({ error: errorForMachines(error) }, 2))
}

export function describeError(error: { readonly message: string; readonly details?: unknown }, screen: Screen): string {
  return [`${screen.err.red("executor:")} ${safeText(error.message)}`, ...hintsIn(error.details)].join("\n")
}

/** What the details of an error offer instead, or complain about. */
function hintsIn(details: unknown): string[] {
  if (typeof details !== "object" || details === null) return []
  const { suggestions, candidates, issues, connectUrl } = details as Record<string, unknown> // read as unknown below
  return [
    ...listed("Did you mean:", texts(suggestions)),
    ...listed("Possible matches:", texts(candidates)),
    // The first one is the message already.
    ...listed("Also:", (Array.isArray(issues) ? (issues as unknown[]) : []).slice(1).map(messageOf)),
    ...(typeof connectUrl === "string" ? [`Connect it at ${safeLine(connectUrl)}`] : []),
  ]
}

const listed = (heading: string, lines: readonly string[]): string[] =>
  lines.length === 0 ? [] : [heading, ...lines.map((line) => `  ${line}`)]

const texts = (value: unknown): string[] =>
  Array.isArray(value) ? (value as unknown[]).filter((one) => typeof one === "string").map((one) => safeLine(one)) : []

const messageOf = (issue: unknown): string => {
  const { message } = (typeof issue === "object" && issue !== null ? issue : {}) as { message?: unknown } // read as unknown here
  return safeLine(typeof message === "string" ? message : JSON.stringify(issue))
}
