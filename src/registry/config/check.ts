// Checks the whole config of a tool by its implementation type.
import { ExecutorError } from "../../core/errors.ts"
import { implementationTypes } from "../../core/registry/tool.ts"
import type { ImplementationType, ToolSchemas } from "../../core/registry/tool.ts"
import type { Config } from "../secrets.ts"
import { checkAgentCall } from "./agent-call.ts"
import { checkArtifact } from "./artifact.ts"
import type { ConfigCheck, ConfigContext } from "./context.ts"
import { checkCustom } from "./custom.ts"
import { checkFunction } from "./function.ts"
import { checkHttp } from "./http.ts"
import { checkInternal } from "./internal.ts"
import { checkMcp } from "./mcp.ts"
import { checkRagRetrieval } from "./rag-retrieval.ts"

const checks: Readonly<Record<ImplementationType, ConfigCheck>> = {
  internal: checkInternal,
  http: checkHttp,
  rag_retrieval: checkRagRetrieval,
  agent_call: checkAgentCall,
  function: checkFunction,
  custom: checkCustom,
  artifact: checkArtifact,
  mcp: checkMcp,
}

export const isKnownType = (type: string): type is ImplementationType => implementationTypes.some((known) => known === type)

/** Answers with the schemas as the type needs them. */
export async function checkConfig(type: string, config: Config, context: ConfigContext): Promise<ToolSchemas> {
  if (!isKnownType(type))
    throw new ExecutorError(
      "unknown_implementation_type",
      `There is no implementation type '${type.slice(0, 80)}'; there are ${implementationTypes.join(", ")}`,
    )
  if (context.artifactId !== null && type !== "artifact")
    throw new ExecutorError(
      "invalid_request",
      `artifactId is for tools of the type 'artifact', not '${type}': leave it out, or change the type`,
    )
  if (context.artifactVersion !== null && context.artifactId === null)
    throw new ExecutorError("invalid_request", "artifactVersion is the version of an artifact: send artifactId too, or leave it out")
  const bytesMax = context.parts.limits.registryConfigBytesMax
  if (Buffer.byteLength(JSON.stringify(config)) > bytesMax)
    throw new ExecutorError("payload_too_large", `implementationConfig is larger than ${bytesMax} bytes; move large parts into an artifact`)
  return checks[type](config, context)
}
