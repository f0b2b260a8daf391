// Artifacts: code with named inputs that tools are made of; every change is a new version.
import { decodeCursor, pageSize, readPage, toPage, viewPage } from "../core/cursor.ts"
import { ExecutorError } from "../core/errors.ts"
import type { Page, PageRequest } from "../core/page.ts"
import { requireRight } from "../core/principal.ts"
import type { Principal, Scope } from "../core/principal.ts"
import type { ArtifactCreate, ArtifactUpdate, ArtifactVersionView, ArtifactView } from "../core/registry/artifact.ts"
import type { ArtifactInput } from "../core/registry/binding.ts"
import { newId } from "../io/ids.ts"
import { allRows } from "../store/all-rows.ts"
import type { ArtifactRow } from "../store/registry-store.ts"
import type { Store } from "../store/store.ts"
import { checkInputs } from "./artifact-inputs.ts"
import { checkSyntax } from "./code.ts"
import type { RegistryParts } from "./parts.ts"
import { requireEditor } from "./tool.ts"
import { checkName, checkSlug, suggestSlug } from "./tool-input.ts"

export async function listArtifacts(principal: Principal, request: PageRequest, parts: RegistryParts): Promise<Page<ArtifactView>> {
  requireEditor(principal, "read artifacts")
  const page = await readPage(
    request,
    parts.limits,
    (next) => parts.store.artifacts.list(principal, next),
    ({ id }) => id,
  )
  return viewPage(page, viewArtifact)
}

export async function getArtifact(principal: Principal, id: string, parts: RegistryParts): Promise<ArtifactView> {
  requireEditor(principal, "read artifacts")
  return viewArtifact(await findArtifact(principal, id, parts.store))
}

export async function listArtifactVersions(
  principal: Principal,
  id: string,
  request: PageRequest,
  parts: RegistryParts,
): Promise<Page<ArtifactVersionView>> {
  requireEditor(principal, "read artifacts")
  await findArtifact(principal, id, parts.store)
  const size = pageSize(request, parts.limits)
  const after = decodeCursor(request.cursor, 1)?.[0] ?? null
  const rows = await parts.store.artifacts.versions(principal, id, { after, limit: size + 1 })
  return toPage(rows, size, ({ version }) => [version], viewArtifactVersion)
}

export async function createArtifact(principal: Principal, input: ArtifactCreate, parts: RegistryParts): Promise<ArtifactView> {
  requireRight(principal, "registry.write", "make artifacts")
  const name = checkName(input.name, parts.limits)
  const slug = input.slug === undefined ? suggestSlug(name, "artifact") : checkSlug(input.slug, "artifact")
  await checkSyntax(principal, "code", input.code, parts)
  const now = parts.clock.now()
  const row: ArtifactRow = {
    id: newId("art", now),
    slug,
    name,
    version: "1",
    inputs: JSON.stringify(checkInputs(input.inputs ?? [], parts.limits)),
    code: checkArtifactCode(input.code, parts),
    madeBy: principal.user,
    madeAt: now.toISOString(),
    createdAt: now.toISOString(),
  }
  return parts.store.transaction(async (store) => {
    if ((await store.artifacts.findBySlug(principal, slug)) !== null)
      throw new ExecutorError("conflict", `There already is an artifact '${slug}'; choose another slug, or change that one with PUT`)
    await requireArtifactRoom(principal, store, parts)
    await store.artifacts.put(principal, row)
    return viewArtifact(row)
  })
}

export async function requireArtifactRoom(scope: Scope, store: Store, { limits }: Pick<RegistryParts, "limits">): Promise<void> {
  const all = await allRows<ArtifactRow, string>(
    (page) => store.artifacts.list(scope, page),
    ({ id }) => id,
  )
  if (all.length >= limits.artifactsMax)
    throw new ExecutorError(
      "conflict",
      `A tenant has at most ${limits.artifactsMax} artifacts; change one, or remove one that no tool uses`,
    )
}

/** Tools keep the version that they were published with. */
export async function updateArtifact(
  principal: Principal,
  id: string,
  change: ArtifactUpdate,
  parts: RegistryParts,
): Promise<{ readonly before: ArtifactView; readonly after: ArtifactView }> {
  requireRight(principal, "registry.write", "change artifacts")
  await checkSyntax(principal, "code", change.code, parts)
  return parts.store.transaction(async (store) => {
    const before = await findArtifact(principal, id, store)
    const changed = {
      name: change.name === undefined ? before.name : checkName(change.name, parts.limits),
      inputs: change.inputs === undefined ? before.inputs : JSON.stringify(checkInputs(change.inputs, parts.limits)),
      code: change.code === undefined ? before.code : checkArtifactCode(change.code, parts),
    }
    const { name, inputs, code } = before
    if (JSON.stringify(changed) === JSON.stringify({ name, inputs, code }))
      return { before: viewArtifact(before), after: viewArtifact(before) }
    const version = Number(before.version) + 1
    if (version > parts.limits.registryVersionsMax)
      throw new ExecutorError("conflict", `An artifact has at most ${parts.limits.registryVersionsMax} versions; make another one`)
    const madeAt = parts.clock.now().toISOString()
    const after = { ...before, ...changed, version: String(version), madeBy: principal.user, madeAt }
    await store.artifacts.put(principal, after)
    return { before: viewArtifact(before), after: viewArtifact(after) }
  })
}

/** Where it is used, removing it would leave tools that cannot be published again. */
export async function removeArtifact(principal: Principal, id: string, parts: RegistryParts): Promise<ArtifactView> {
  requireRight(principal, "registry.write", "remove artifacts")
  return parts.store.transaction(async (store) => {
    const row = await findArtifact(principal, id, store)
    const tools = await store.artifacts.users(principal, row.id)
    if (tools.length > 0)
      throw new ExecutorError(
        "conflict",
        `The artifact '${row.slug}' is used by ${listed(tools)}: give them another artifact or code of their own and publish them, or remove those that are drafts`,
        { tools: tools.slice(0, toolsShown) },
      )
    await store.artifacts.remove(principal, row.id)
    return viewArtifact(row)
  })
}

const toolsShown = 100
const toolsNamed = 5

const listed = (slugs: readonly string[]): string =>
  slugs.length <= toolsNamed
    ? slugs.join(", ")
    : `${slugs.slice(0, toolsNamed).join(", ")} and ${slugs.length - toolsNamed} ${slugs.length === toolsNamed + 1 ? "other" : "others"}`

async function findArtifact(scope: Scope, id: string, store: Store): Promise<ArtifactRow> {
  const row = await store.artifacts.get(scope, id)
  if (row === null) throw new ExecutorError("not_found", `There is no artifact '${id.slice(0, 80)}'; GET /artifacts lists them`)
  return row
}

export function checkArtifactCode(code: string, { limits: { codeBytesMax } }: Pick<RegistryParts, "limits">): string {
  if (code.trim() === "")
    throw new ExecutorError("invalid_request", "code is required: write what the artifact runs, such as return input.a + input.b")
  if (Buffer.byteLength(code) > codeBytesMax) throw new ExecutorError("payload_too_large", `code is larger than ${codeBytesMax} bytes`)
  return code
}

const inputsOf = ({ inputs }: ArtifactRow): ArtifactInput[] => JSON.parse(inputs) as ArtifactInput[] // written above

const viewArtifact = (row: ArtifactRow): ArtifactView => ({
  id: row.id,
  slug: row.slug,
  name: row.name,
  version: row.version,
  inputs: inputsOf(row),
  code: row.code,
  createdAt: row.createdAt,
  updatedAt: row.madeAt,
})

const viewArtifactVersion = (row: ArtifactRow): ArtifactVersionView => ({
  version: row.version,
  inputs: inputsOf(row),
  code: row.code,
  by: row.madeBy,
  at: row.madeAt,
})
