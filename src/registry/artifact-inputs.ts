// Checks the inputs that code declares.
import { ExecutorError } from "../core/errors.ts"
import { isRecord } from "../core/json/record.ts"
import type { Limits } from "../core/limits.ts"
import type { ArtifactInput } from "../core/registry/binding.ts"

const namePattern = /^[A-Za-z_$][A-Za-z0-9_$]{0,62}$/
const types = ["string", "number", "integer", "boolean", "object", "array", "any"]
const fields = ["name", "type", "required", "default"]

export function checkInputs(value: unknown, { artifactInputsMax }: Limits): ArtifactInput[] {
  if (!Array.isArray(value) || value.length > artifactInputsMax)
    throw wrong("inputs", `must be a list of at most ${artifactInputsMax} inputs { name, type, required, default }`)
  const inputs = value.map(checkInput)
  const names = inputs.map(({ name }) => name)
  const twice = names.find((name, at) => names.indexOf(name) !== at)
  if (twice !== undefined) throw wrong("inputs", `has '${twice}' twice; rename one of them`)
  return inputs
}

function checkInput(value: unknown, at: number): ArtifactInput {
  const place = `inputs.${at}`
  if (!isRecord(value)) throw wrong(place, "must be an object { name, type, required, default }")
  const unknownName = Object.keys(value).find((key) => !fields.includes(key))
  if (unknownName !== undefined) throw wrong(place, `has no field '${unknownName.slice(0, 80)}'; it takes ${fields.join(", ")}`)
  const { name, type = "any", required = false } = value
  if (typeof name !== "string" || !namePattern.test(name)) throw wrong(`${place}.name`, `must match ${namePattern.source}`)
  if (typeof type !== "string" || !types.includes(type)) throw wrong(`${place}.type`, `must be one of ${types.join(", ")}`)
  if (typeof required !== "boolean") throw wrong(`${place}.required`, "must be true or false")
  return { name, type, required, ...(value["default"] === undefined ? {} : { default: value["default"] }) }
}

const wrong = (field: string, expected: string): ExecutorError => new ExecutorError("invalid_request", `${field} ${expected}`)
