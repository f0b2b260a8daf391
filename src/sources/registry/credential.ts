// Opens the secrets of one registry tool for one call: its config with the values in place, and all that must be redacted.
import { ExecutorError } from "../../core/errors.ts"
import { isRecord } from "../../core/json/record.ts"
import { isSecretReference, secretValueName } from "../../core/registry/binding.ts"
import type { RegistryBinding } from "../../core/registry/binding.ts"
import { isHarmlessHeader, isSecretUserName } from "../../core/secret-variable.ts"
import type { ToolCredentialRequest } from "../source-adapter.ts"
import type { RegistryPorts, TenantCredential } from "./ports.ts"

export type Implementation = RegistryBinding["implementation"]

export type OpenTool = {
  /** With its secrets in place. */
  readonly implementation: Implementation
  /** The tenant's credential that it names in `credentials_ref`. */
  readonly credential: TenantCredential | null
  /** In all forms in which an upstream may echo them. */
  readonly secrets: readonly string[]
}

export type CredentialPorts = Pick<RegistryPorts, "tenantCredentials" | "resolveEnv" | "secretForms">

export async function openTool(
  binding: Pick<RegistryBinding, "slug" | "implementation">,
  { scope, openSecret }: Omit<ToolCredentialRequest, "binding">,
  ports: CredentialPorts,
): Promise<OpenTool> {
  const hidden: string[] = []
  const open = async (value: unknown, path: string): Promise<unknown> => {
    if (isSecretReference(value)) {
      const stored = await openSecret(value.$secret)
      const text = stored?.[secretValueName]
      if (text === undefined) throw missing(binding.slug, path)
      const resolved = ports.resolveEnv(text)
      if (!isPlainHeader(path)) hidden.push(resolved)
      return resolved
    }
    if (Array.isArray(value)) return Promise.all(value.map((item, at) => open(item, `${path}.${at}`)))
    if (!isRecord(value)) return value
    const entries = Object.entries(value).map(async ([key, item]) => [key, await open(item, path === "" ? key : `${path}.${key}`)] as const)
    return Object.fromEntries(await Promise.all(entries))
  }
  const implementation = (await open(binding.implementation, "")) as Implementation // a record stays one
  const credential = await openTenantCredential(binding, scope, ports)
  hidden.push(...hiddenIn(credential?.values ?? {}))
  return { implementation, credential, secrets: [...new Set(hidden.flatMap(ports.secretForms))] }
}

/** Every header's value is stored as a secret, but to redact `application/json` would spoil ordinary answers. */
const isPlainHeader = (path: string): boolean => path.startsWith("headers.") && isHarmlessHeader(path.slice("headers.".length))

/** A plain user name is no secret, and replacing it would spoil ordinary answers. */
const hiddenIn = (values: TenantCredential["values"]): string[] =>
  Object.entries(values).flatMap(([name, text]) => (name === "username" && !isSecretUserName(values["password"] ?? "") ? [] : [text]))

async function openTenantCredential(
  { slug, implementation }: Pick<RegistryBinding, "slug" | "implementation">,
  scope: ToolCredentialRequest["scope"],
  { tenantCredentials, resolveEnv }: CredentialPorts,
): Promise<TenantCredential | null> {
  const id = implementation["credentials_ref"]
  if (typeof id !== "string") return null
  const found = await tenantCredentials.open(scope, id)
  if (found === null)
    throw new ExecutorError(
      "conflict",
      `The credential '${id.slice(0, 80)}' that registry.${slug} uses is gone: name another one in credentials_ref with \`executor registry edit ${slug}\`, then publish it`,
    )
  return { ...found, values: Object.fromEntries(Object.entries(found.values).map(([name, text]) => [name, resolveEnv(text)])) }
}

const missing = (slug: string, path: string): ExecutorError =>
  new ExecutorError(
    "conflict",
    `The secret value of ${path} of registry.${slug} is missing: set it again with \`executor registry edit ${slug}\`, then publish it`,
  )
