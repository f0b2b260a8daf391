// What a client chooses in the query of the endpoint, among what its token allows.
import { ExecutorError } from "../../core/errors.ts"
import type { ResultsMode } from "../../core/execution.ts"
import type { TokenPrincipal } from "../../core/principal.ts"
import { elicitationModes } from "../../core/token.ts"
import type { ElicitationMode } from "../../core/token.ts"

export type HostOptions = {
  readonly mode: ElicitationMode
  readonly results: ResultsMode
  /** Whether searching and describing are tools of their own. */
  readonly discovery: "code" | "tools"
  /** The integration that is passed through; null where code runs. */
  readonly direct: { readonly integration: string; /** `<owner>.<connection>`; null for all. */ readonly connection: string | null } | null
}

const directPath = /\/mcp\/direct\/([^/]+)\/?$/

export function readHostOptions({ pathname, searchParams: query }: URL, principal: TokenPrincipal): HostOptions {
  const integration = directPath.exec(pathname)?.[1]
  return {
    direct: integration === undefined ? null : { integration: decodeSegment(integration), connection: query.get("connection") },
    mode: readMode(query.get("elicitation_mode") ?? query.get("elicitationMode"), principal.elicitation),
    results: readChoice("results", query.get("results"), ["envelope", "raw"]),
    discovery: readChoice("discovery", query.get("discovery"), ["code", "tools"]),
  }
}

function decodeSegment(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    throw new ExecutorError("not_found", "There is no integration with that name: its address is not valid")
  }
}

/** Unless one is named: a human in a browser where that is allowed, because no client has to be trusted for it. */
function readMode(named: string | null, allowed: readonly ElicitationMode[]): ElicitationMode {
  const mode = named === null ? elicitationModes.find((one) => allowed.includes(one)) : allowed.find((one) => one === named)
  if (mode !== undefined) return mode
  const choice = allowed.length === 0 ? "none is allowed" : `allowed: ${allowed.join(", ")}`
  throw new ExecutorError("forbidden", `This token may not use the elicitation mode '${(named ?? "").slice(0, 40)}': ${choice}`)
}

function readChoice<Choice extends string>(name: string, text: string | null, choices: readonly [Choice, ...Choice[]]): Choice {
  const choice = text === null ? choices[0] : choices.find((one) => one === text)
  if (choice !== undefined) return choice
  throw new ExecutorError("invalid_request", `The query parameter '${name}' is wrong: it must be one of ${choices.join(", ")}`)
}
