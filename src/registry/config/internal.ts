// The config of a built-in with settings of its own.
import { ExecutorError } from "../../core/errors.ts"
import { isSecretReference } from "../../core/registry/binding.ts"
import type { ConfigCheck } from "./context.ts"
import { refuseUnknown, requireText, wrong } from "./fields.ts"

export const builtinPrefix = "builtin."

export const checkInternal: ConfigCheck = async (config, { scope, schema, store, parts: { staticTools } }) => {
  refuseUnknown(config, "internal", ["builtin", "api_key", "credentials_ref"])
  const key = requireText(config, "builtin", "write the key of a built-in, such as web_search")
  if (staticTools.find(`${builtinPrefix}${key}`) === undefined) {
    const keys = staticTools.list().flatMap(({ fqid }) => (fqid.startsWith(builtinPrefix) ? [fqid.slice(builtinPrefix.length)] : []))
    throw new ExecutorError("invalid_request", `There is no built-in '${key.slice(0, 80)}'; there are ${keys.join(", ") || "none"}`)
  }
  const { api_key: apiKey, credentials_ref: ref } = config
  if (apiKey !== undefined && !isSecretReference(apiKey) && typeof apiKey !== "string") throw wrong("api_key", "must be a text")
  if (ref === undefined) return schema
  if (typeof ref !== "string" || (await store.tenantCredentials.get(scope, ref)) === null)
    throw wrong("credentials_ref", `names no credential of this tenant: GET /credentials lists their ids`)
  return schema
}
