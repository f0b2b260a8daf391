// Gives an agent the catalog: two tools for all of it, or chosen tools one by one.
import type { ResultsMode } from "../../core/execution.ts"
import { defaultLimits } from "../../core/limits.ts"
import type { DescribedTool } from "../../core/text/code-mode.ts"
import { executeTool, resumeTool } from "../../core/text/code-mode.ts"
import type { ToolPart } from "../tool-part.ts"
import type { ToolSpec } from "../tool.ts"
import type { CatalogExecutor } from "./catalog-executor.ts"
import { CatalogToolHandler } from "./catalog-tool-handler.ts"
import { chooseTools } from "./chosen-tools.ts"
import { ExecuteHandler } from "./execute-handler.ts"
import { ResumeHandler } from "./resume-handler.ts"
import { createCatalogRuns } from "./run-code.ts"

export type CatalogOptions = {
  /** Of `createExecutor()`, or the client of a server, which acts as whoever its token belongs to. */
  readonly executor: CatalogExecutor
  /** Addresses or patterns of the tools that are offered one by one. Without it the model gets `execute`, and writes code. */
  readonly tools?: readonly string[]
  /** What calls give inside of `execute`: an envelope (the default), or the data alone. */
  readonly results?: ResultsMode
  /** How long one call of `resume` waits for a human. */
  readonly resumeWaitMs?: number
}

/** Reads what the model has to know of the catalog; the part then adds the tools to a router, as one of `config.parts`. */
export async function catalogTools(options: CatalogOptions): Promise<ToolPart> {
  const { executor, tools, results = "envelope", resumeWaitMs } = options
  const runs = createCatalogRuns(executor)
  const chosen = tools === undefined ? null : await chooseTools(tools, executor)
  const execute = chosen === null ? executeTool(await executor.tools.inventory(), { mode: "browser", results }, defaultLimits) : null
  return (builder) => {
    for (const { spec, address, effect } of chosen ?? []) {
      builder.pushSpecWithParallelSupport(spec, effect === "read")
      builder.registerHandler(spec.name, new CatalogToolHandler(address, effect, runs))
    }
    if (execute !== null) {
      builder.pushSpec(specOf(execute))
      builder.registerHandler(execute.name, new ExecuteHandler(runs, results))
    }
    const resume = specOf(resumeTool("browser"))
    // It waits for humans, which must hold nothing else back.
    builder.pushSpecWithParallelSupport(resume, true)
    builder.registerHandler(resume.name, new ResumeHandler(runs, resumeWaitMs))
  }
}

const specOf = ({ name, description, inputSchema }: DescribedTool): ToolSpec => ({
  type: "function",
  name,
  description,
  parameters: inputSchema,
})
