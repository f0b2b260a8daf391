// Finds one tool by its path, with its schemas; what is not there is answered with what might have been meant.
import { withoutRoot } from "../../../core/address.ts"
import { ExecutorError } from "../../../core/errors.ts"
import type { ExecutorApi } from "../../../core/executor-api.ts"
import type { ToolSchemaView, ToolView } from "../../../core/tool.ts"

export type FoundTool = { readonly path: string; readonly view: ToolView; readonly schema: ToolSchemaView }

export async function findTool(path: string, api: ExecutorApi): Promise<FoundTool> {
  const wanted = withoutRoot(path)
  const [schema, views] = await Promise.all([api.tools.schema(wanted), viewsOf(wanted, api)])
  const [view] = views
  if (schema !== null && view !== undefined) return { path: withoutRoot(view.address), view, schema }
  if (views.length > 1) {
    const candidates = views.map((one) => withoutRoot(one.address))
    throw new ExecutorError("tool_ambiguous", `Tool path '${wanted}' matches ${views.length} connections; use one of the full paths`, {
      candidates,
    })
  }
  throw new ExecutorError("tool_not_found", `Tool path '${wanted}' not found`, { suggestions: await suggestPaths(wanted, api) })
}

/** The tools that a full or a short path names. */
async function viewsOf(path: string, api: ExecutorApi): Promise<ToolView[]> {
  const [integration = "", ...rest] = path.split(".")
  const last = rest.at(-1)
  if (last === undefined) return []
  const views = await api.tools.list({ integration, query: last, includeBlocked: true, includeAnnotations: true })
  const exact = views.filter((view) => withoutRoot(view.address) === path)
  return exact.length > 0 ? exact : views.filter((view) => view.name === rest.join("."))
}

/** As the catalog itself suggests them, which only code can ask it. */
export async function suggestPaths(path: string, api: ExecutorApi): Promise<string[]> {
  const reply = await api.run(`return await tools.describe.tool(${JSON.stringify({ path })})`)
  const { error } = (reply.structured.status === "completed" ? (reply.structured.result ?? {}) : {}) as {
    error?: { suggestions?: string[] }
  } // a discovery built-in's own answer
  return error?.suggestions ?? []
}
