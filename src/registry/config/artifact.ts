// The config of a tool that runs an artifact, or code that stands in its own config.
import { ExecutorError } from "../../core/errors.ts"
import { checkInputs } from "../artifact-inputs.ts"
import type { ConfigCheck } from "./context.ts"
import { checkTimeout, refuseUnknown, requireCode } from "./fields.ts"

export const checkArtifact: ConfigCheck = async (config, { scope, schema, artifactId, artifactVersion, store, parts: { limits } }) => {
  refuseUnknown(config, "artifact", ["code", "inputs", "timeout_s"])
  checkTimeout(config, limits)
  if (artifactId === null) {
    if (config["code"] === undefined)
      throw new ExecutorError(
        "invalid_request",
        "A tool of the type 'artifact' needs artifactId, or code and inputs in implementationConfig",
      )
    requireCode(config, limits)
    checkInputs(config["inputs"] ?? [], limits)
    return schema
  }
  if (config["code"] !== undefined || config["inputs"] !== undefined)
    throw new ExecutorError("invalid_request", "A tool has artifactId or code in implementationConfig, not both: leave one of them out")
  const artifact = await store.artifacts.get(scope, artifactId)
  if (artifact === null)
    throw new ExecutorError("invalid_request", `This tenant has no artifact '${artifactId.slice(0, 80)}': GET /artifacts lists them`)
  if (artifactVersion !== null && (await store.artifacts.get(scope, artifactId, artifactVersion)) === null)
    throw new ExecutorError(
      "invalid_request",
      `The artifact '${artifact.slug}' has no version '${artifactVersion.slice(0, 40)}': GET /artifacts/${artifactId}/versions lists them`,
    )
  return schema
}
