// The config of a tool that sends one HTTP request.
import { isRecord } from "../../core/json/record.ts"
import { isSecretReference } from "../../core/registry/binding.ts"
import type { ConfigCheck } from "./context.ts"
import { checkHeaders, checkTimeout, refuseUnknown, wrong } from "./fields.ts"
import { checkUrl, placeholdersIn } from "./url.ts"

const methods = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]
const example = "https://api.example.com/users/{id}"

export const checkHttp: ConfigCheck = async (config, { schema, parts: { limits } }) => {
  refuseUnknown(config, "http", ["method", "url", "headers", "query", "body", "timeout_s"])
  const { method, query } = config
  if (typeof method !== "string" || !methods.includes(method)) throw wrong("method", `must be one of ${methods.join(", ")}`)
  const url = checkUrl("url", config["url"], example)
  const properties = isRecord(schema.input["properties"]) ? schema.input["properties"] : {}
  for (const name of placeholdersIn(url))
    if (!Object.hasOwn(properties, name))
      throw wrong(
        "url",
        `has {${name.slice(0, 80)}}, which the input schema does not: add '${name.slice(0, 80)}' to schema.input.properties`,
      )
  checkHeaders(config)
  if (query !== undefined && !isRecord(query)) throw wrong("query", 'must be an object, such as { "page": "1" }')
  for (const [name, value] of Object.entries(query ?? {}))
    if (!["string", "number", "boolean"].includes(typeof value) && !isSecretReference(value))
      throw wrong(`query.${name.slice(0, 80)}`, "must be a text, a number, true or false")
  if (config["body"] !== undefined && ["GET", "HEAD"].includes(method))
    throw wrong("body", `is not sent with ${method}; choose another method`)
  checkTimeout(config, limits)
  return schema
}
