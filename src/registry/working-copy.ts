// Makes the working copy of a tool out of what somebody sends: checked, with its secrets taken out.
import { adminOrigins, refuseEnvReferences, refusePrivateUrls } from "../catalog/integrations/admin-text.ts"
import { ExecutorError } from "../core/errors.ts"
import { canonicalJson } from "../core/json/canonical.ts"
import { isRecord } from "../core/json/record.ts"
import type { Principal, Scope } from "../core/principal.ts"
import { secretValueName } from "../core/registry/binding.ts"
import { checkExecution } from "../core/registry/execution.ts"
import type { RegistryToolUpdate, ToolSchemas } from "../core/registry/tool.ts"
import { checkEnvReferences } from "../credentials/env/reference.ts"
import type { Store } from "../store/store.ts"
import { checkConfig, isKnownType } from "./config/check.ts"
import type { WorkingCopy } from "./definition.ts"
import { deriveSchemas, derivingTypes, renewSchemas } from "./derived-schema.ts"
import type { SchemaOrigin } from "./derived-schema.ts"
import type { RegistryParts } from "./parts.ts"
import { hideSecrets, keepSecrets, originsIn, referencesIn, refuseReferences } from "./secrets.ts"
import type { Config } from "./secrets.ts"
import { checkDescription, checkName, checkSchemas } from "./tool-input.ts"

export type WrittenCopy = {
  readonly copy: WorkingCopy
  /** New values for the vault, by reference. */
  readonly added: ReadonlyMap<string, string>
}

/** Those of `change` that a version is a snapshot of. */
const contentFields = [
  "name",
  "description",
  "schema",
  "implementationType",
  "implementationConfig",
  "executionConfig",
  "artifactId",
  "artifactVersion",
] as const
const textFields: readonly string[] = ["name", "description"]

export type CopyChange = Pick<RegistryToolUpdate, (typeof contentFields)[number]>

export const changesContent = (change: RegistryToolUpdate): boolean => contentFields.some((field) => change[field] !== undefined)

export const emptyCopy: WorkingCopy = {
  name: "",
  description: "",
  schema: { input: {} },
  configSchema: { implementation: {}, execution: {} },
  implementationType: "",
  artifactId: null,
  artifactVersion: null,
  literalUrls: [],
  writtenBy: "",
}

/** To be called inside a transaction; what it adds to the vault is for the caller to put. */
export async function changeCopy(
  principal: Principal,
  toolId: string,
  change: CopyChange,
  before: WorkingCopy,
  store: Store,
  parts: RegistryParts,
): Promise<WrittenCopy> {
  const { limits } = parts
  const implementationType = typeIn(change) || before.implementationType
  const artifactId = change.artifactId === undefined ? before.artifactId : change.artifactId
  const artifactVersion =
    change.artifactVersion ?? (change.artifactVersion === null || artifactId !== before.artifactId ? null : before.artifactVersion)
  const isConfigured = change.implementationConfig !== undefined
  const implementation = isConfigured
    ? keepSecrets(withoutType(change.implementationConfig ?? {}, implementationType), before.configSchema.implementation)
    : before.configSchema.implementation
  const named = {
    name: change.name === undefined ? before.name : checkName(change.name, limits),
    description: change.description === undefined ? before.description : checkDescription(change.description, limits),
  }
  const onlyTexts = contentFields.every((field) => change[field] === undefined || textFields.includes(field))
  const origin = { implementationType, configSchema: { ...before.configSchema, implementation }, artifactId, artifactVersion }
  const given = onlyTexts ? before.schema : await givenSchemas(principal, change, before, origin, store, parts)
  const context = { scope: principal, schema: given, artifactId, artifactVersion, store, parts }
  const schema = onlyTexts ? given : await checkConfig(implementationType, implementation, context)
  const execution = change.executionConfig === undefined ? before.configSchema.execution : executionIn(change.executionConfig, limits)
  const hidden = hideSecrets(implementation, toolId, isConfigured ? await openSecrets(principal, before, store, parts) : new Map())
  const literalUrls = isConfigured ? checkWriter(principal, implementation, [...hidden.added.values()], before, parts) : before.literalUrls
  return {
    copy: {
      ...named,
      schema,
      configSchema: { implementation: hidden.config, execution },
      implementationType,
      artifactId,
      artifactVersion,
      literalUrls,
      writtenBy:
        isConfigured && canonicalJson(hidden.config) !== canonicalJson(before.configSchema.implementation)
          ? principal.user
          : before.writtenBy,
    },
    added: hidden.added,
  }
}

/** What nobody writes follows from what the tool is made of. */
async function givenSchemas(
  scope: Scope,
  { schema }: CopyChange,
  before: WorkingCopy,
  origin: SchemaOrigin,
  store: Store,
  parts: RegistryParts,
): Promise<ToolSchemas> {
  if (schema !== undefined) return checkSchemas(schema, parts.limits)
  if (before !== emptyCopy) return renewSchemas(scope, before, origin, store, parts)
  const { implementationType: type } = origin
  // Of these the check of the config says what is missing.
  if (derivingTypes.includes(type) || !isKnownType(type)) return (await deriveSchemas(scope, origin, store, parts)) ?? emptyCopy.schema
  return checkSchemas(undefined, parts.limits)
}

const typeIn = ({ implementationType, implementationConfig }: CopyChange): string | undefined => {
  const inConfig = implementationConfig?.["type"]
  return implementationType || (typeof inConfig === "string" ? inConfig : undefined)
}

/** The seed's older place of the type; one place is enough. */
function withoutType(config: Config, implementationType: string): Config {
  if (!isRecord(config)) throw new ExecutorError("invalid_request", "implementationConfig must be an object")
  const { type, ...rest } = config
  if (type !== undefined && type !== implementationType)
    throw new ExecutorError(
      "invalid_request",
      `implementationConfig.type must be left out, or be '${implementationType}' as implementationType is`,
    )
  return rest
}

function executionIn(config: Config, limits: RegistryParts["limits"]): Config {
  refuseReferences(config)
  checkExecution(config, limits)
  return config
}

/** Private hosts and references to the environment are for admins; answers with the origins that one has written. */
function checkWriter(
  principal: Principal,
  config: Config,
  secrets: readonly string[],
  before: WorkingCopy,
  parts: RegistryParts,
): readonly string[] {
  const origins = originsIn(config)
  refusePrivateUrls(
    principal,
    origins.filter((origin) => !before.literalUrls.includes(origin)),
  )
  refuseEnvReferences(principal, secrets)
  for (const text of secrets) checkEnvReferences(text, parts.env)
  return adminOrigins(principal, origins, before.literalUrls)
}

async function openSecrets(
  scope: Scope,
  before: WorkingCopy,
  store: Store,
  parts: RegistryParts,
): Promise<Map<string, { readonly ref: string; readonly value: string }>> {
  const vault = parts.vaultOn(store)
  const opened = new Map<string, { readonly ref: string; readonly value: string }>()
  for (const [path, ref] of referencesIn(before.configSchema.implementation)) {
    const value = (await vault.open(scope, ref))?.[secretValueName]
    if (value !== undefined) opened.set(path, { ref, value })
  }
  return opened
}

export async function putSecrets(scope: Scope, added: ReadonlyMap<string, string>, store: Store, parts: RegistryParts): Promise<void> {
  const vault = parts.vaultOn(store)
  for (const [ref, value] of added) await vault.put(scope, ref, { [secretValueName]: value })
}
