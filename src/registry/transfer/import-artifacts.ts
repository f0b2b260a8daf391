// Brings the artifacts of a file into the caller's tenant, so that the tools of the file are linked to them again.
//
// A slug that is taken is left alone: what it has in common with the file is linked, and what it has not stands in the
// tools themselves.
import { ExecutorError } from "../../core/errors.ts"
import { canonicalJson } from "../../core/json/canonical.ts"
import { isRecord } from "../../core/json/record.ts"
import type { Principal, Scope } from "../../core/principal.ts"
import type { ArtifactCode, ArtifactInput } from "../../core/registry/binding.ts"
import { newId } from "../../io/ids.ts"
import { allRows } from "../../store/all-rows.ts"
import type { ArtifactRow } from "../../store/registry-store.ts"
import type { Store } from "../../store/store.ts"
import { checkInputs } from "../artifact-inputs.ts"
import { checkArtifactCode, requireArtifactRoom } from "../artifacts.ts"
import { checkSyntax } from "../code.ts"
import type { RegistryParts } from "../parts.ts"
import { checkName, checkSlug } from "../tool-input.ts"

/** The version here, by that in the file; or its code, where the tenant has another artifact of that slug. */
export type ArtifactLink =
  | { readonly kind: "linked"; readonly id: string; readonly versions: ReadonlyMap<string, string> }
  | { readonly kind: "taken"; readonly codes: ReadonlyMap<string, ArtifactCode>; readonly latest: ArtifactCode }

export type ImportedArtifacts = {
  /** By slug. */
  readonly links: ReadonlyMap<string, ArtifactLink>
  readonly created: readonly string[]
  readonly warnings: readonly string[]
}

type FileVersion = ArtifactCode & { readonly version: string }
type FileArtifact = { readonly slug: string; readonly name: string; readonly versions: readonly [FileVersion, ...FileVersion[]] }

export async function importArtifacts(principal: Principal, file: unknown, parts: RegistryParts): Promise<ImportedArtifacts> {
  const links = new Map<string, ArtifactLink>()
  const created: string[] = []
  const warnings: string[] = []
  for (const [at, value] of entriesIn(file, parts).entries()) {
    try {
      const artifact = await readArtifact(principal, value, parts)
      const { link, isNew } = await parts.store.transaction((store) => writeArtifact(principal, artifact, store, parts))
      links.set(artifact.slug, link)
      if (isNew) created.push(artifact.slug)
      if (link.kind === "taken")
        warnings.push(
          `artifact ${artifact.slug}: there is one of this slug with other code, so that its tools have the code of the file in themselves`,
        )
    } catch (error) {
      if (!(error instanceof ExecutorError)) throw error
      warnings.push(`artifacts.${at} was skipped: ${error.message}`)
    }
  }
  return { links, created, warnings }
}

function entriesIn(file: unknown, { limits }: RegistryParts): readonly unknown[] {
  const artifacts = isRecord(file) ? file["artifacts"] : undefined
  if (artifacts === undefined || artifacts === null) return []
  if (!Array.isArray(artifacts)) throw invalid("artifacts must be a list, as `executor registry export` writes it")
  if (artifacts.length > limits.artifactsMax)
    throw new ExecutorError("payload_too_large", `The file has ${artifacts.length} artifacts; a tenant has at most ${limits.artifactsMax}`)
  return artifacts
}

async function readArtifact(scope: Scope, value: unknown, parts: RegistryParts): Promise<FileArtifact> {
  if (!isRecord(value) || typeof value["slug"] !== "string") throw invalid("it must be an object { slug, name, versions }")
  const slug = checkSlug(value["slug"], "artifact")
  const name = checkName(typeof value["name"] === "string" ? value["name"] : slug, parts.limits)
  const given: unknown = value["versions"]
  if (!Array.isArray(given) || given.length > parts.limits.registryVersionsMax)
    throw invalid(`${slug}: versions must be a list of at most ${parts.limits.registryVersionsMax}`)
  const versions: FileVersion[] = []
  for (const one of given as unknown[]) versions.push(await readVersion(scope, slug, one, parts))
  if (new Set(versions.map(({ version }) => version)).size < versions.length) throw invalid(`${slug}: it has a version twice`)
  const [first, ...rest] = versions
  if (first === undefined) throw invalid(`${slug}: versions must have one at least`)
  return { slug, name, versions: [first, ...rest] }
}

async function readVersion(scope: Scope, slug: string, value: unknown, parts: RegistryParts): Promise<FileVersion> {
  if (!isRecord(value) || typeof value["code"] !== "string") throw invalid(`${slug}: a version must be an object { version, inputs, code }`)
  const code = checkArtifactCode(value["code"], parts)
  await checkSyntax(scope, `The code of version ${String(value["version"]).slice(0, 20)} of ${slug}`, code, parts)
  return { version: String(value["version"]), inputs: checkInputs(value["inputs"] ?? [], parts.limits), code }
}

async function writeArtifact(
  scope: Scope,
  { slug, name, versions }: FileArtifact,
  store: Store,
  parts: RegistryParts,
): Promise<{ readonly link: ArtifactLink; readonly isNew: boolean }> {
  const existing = await store.artifacts.findBySlug(scope, slug)
  if (existing !== null) return { link: await linkTo(scope, existing, versions, store), isNew: false }
  await requireArtifactRoom(scope, store, parts)
  const now = parts.clock.now()
  const id = newId("art", now)
  const made = { id, slug, name, madeBy: scope.user, madeAt: now.toISOString(), createdAt: now.toISOString() }
  const here = new Map<string, string>()
  for (const { version, inputs, code } of versions) {
    const next = String(here.size + 1)
    await store.artifacts.put(scope, { ...made, version: next, inputs: JSON.stringify(inputs), code })
    here.set(version, next)
  }
  return { link: { kind: "linked", id, versions: here }, isNew: true }
}

async function linkTo(scope: Scope, { id }: ArtifactRow, wanted: FileArtifact["versions"], store: Store): Promise<ArtifactLink> {
  const rows = await allRows<ArtifactRow, string>(
    (page) => store.artifacts.versions(scope, id, page),
    ({ version }) => version,
  )
  const here = new Map<string, string>()
  for (const { version, inputs, code } of wanted) {
    const same = rows.find((row) => row.code === code && canonicalJson(JSON.parse(row.inputs) as ArtifactInput[]) === canonicalJson(inputs))
    if (same !== undefined) here.set(version, same.version)
  }
  if (here.size === wanted.length) return { kind: "linked", id, versions: here }
  return { kind: "taken", codes: new Map(wanted.map((one) => [one.version, codeOf(one)])), latest: codeOf(wanted.at(-1) ?? wanted[0]) }
}

const codeOf = ({ code, inputs }: FileVersion): ArtifactCode => ({ code, inputs })

const invalid = (message: string): ExecutorError => new ExecutorError("invalid_request", message)
