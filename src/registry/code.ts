// Refuses code that cannot be read, with the place and what is wrong there.
//
// Whoever runs code may keep the sandbox busy for a while, so that this is asked before a transaction, never inside of one.
import { ExecutorError } from "../core/errors.ts"
import type { Scope } from "../core/principal.ts"
import type { CodeProblem } from "../core/registry/code-syntax.ts"
import type { Snapshot } from "./definition.ts"
import type { RegistryParts } from "./parts.ts"
import type { Config } from "./secrets.ts"

type Parts = Pick<RegistryParts, "codeSyntax" | "limits">

/** `field`: what the code was sent as. What is no code of an acceptable size is for other checks to refuse. */
export async function checkSyntax(scope: Scope, field: string, code: unknown, parts: Parts): Promise<void> {
  const problem = await findProblem(scope, code, parts)
  if (problem === null) return
  const { message, ...place } = problem
  throw new ExecutorError(
    "invalid_request",
    `${field} cannot be read as TypeScript${placeText(place)}: ${ended(message)} Fix it there`,
    place,
  )
}

/** Only `custom` tools and artifacts have code. */
export const checkConfigSyntax = (scope: Scope, config: Config | undefined, parts: Parts): Promise<void> =>
  checkSyntax(scope, "implementationConfig.code", config?.["code"], parts)

/** What a version would run: what was written by an older version, or imported, was never read. */
export async function checkSnapshotSyntax(scope: Scope, snapshot: Snapshot, parts: Parts): Promise<void> {
  if (snapshot.artifact !== null && snapshot.artifactId !== null)
    return checkSyntax(scope, `The code of version ${snapshot.artifactVersion} of the artifact`, snapshot.artifact.code, parts)
  return checkConfigSyntax(scope, snapshot.configSchema.implementation, parts)
}

async function findProblem(scope: Scope, code: unknown, { codeSyntax, limits }: Parts): Promise<CodeProblem | null> {
  if (typeof code !== "string" || code.trim() === "" || Buffer.byteLength(code) > limits.codeBytesMax) return null
  return codeSyntax.problemIn(scope, code)
}

const placeText = ({ line, column }: Omit<CodeProblem, "message">): string =>
  line === undefined ? "" : ` at line ${line}${column === undefined ? "" : `, column ${column}`}`

const ended = (message: string): string => (/[.!?]$/.test(message) ? message : `${message}.`)
