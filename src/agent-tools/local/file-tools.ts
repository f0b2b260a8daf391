// The local tools that read, write and search files.
import type { ToolRegistryBuilder } from "../registry-builder.ts"
import { applyPatchFreeformSpec, applyPatchFunctionSpec, ApplyPatchHandler } from "./apply-patch.ts"
import { FileReadHandler, readFileSpec } from "./read-file.ts"
import { SearchHandler, searchSpec } from "./search.ts"
import type { SearchOptions } from "./search.ts"
import { FileWriteHandler, writeFileSpec } from "./write-file.ts"
import type { Workspace } from "./workspace.ts"

export type FileToolsOptions = SearchOptions & {
  /** How `apply_patch` is described: `freeform` (the default) for models that know such tools, `function` for all others. */
  readonly applyPatch?: "freeform" | "function"
}

/** Reading may run side by side; writing may not. */
export function addFileTools(builder: ToolRegistryBuilder, workspace: Workspace, options: FileToolsOptions = {}): void {
  builder.pushSpecWithParallelSupport(readFileSpec, true)
  builder.registerHandler("read_file", new FileReadHandler(workspace))
  builder.pushSpec(writeFileSpec)
  builder.registerHandler("write_file", new FileWriteHandler(workspace))
  builder.pushSpecWithParallelSupport(searchSpec, true)
  builder.registerHandler("search", new SearchHandler(workspace, options))
  builder.pushSpec(options.applyPatch === "function" ? applyPatchFunctionSpec : applyPatchFreeformSpec)
  builder.registerHandler("apply_patch", new ApplyPatchHandler(workspace))
}
