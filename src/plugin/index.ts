// `toolplane/plugin`: the API for writing plugins.
export { definePlugin, defineTool } from "./define.ts"
export { ToolError } from "./tool-error.ts"
export type { ToolErrorCode } from "./tool-error.ts"
export { toolFile } from "../core/result.ts"
export type { ToolFile } from "../core/result.ts"
export type { ElicitAnswer } from "../core/call/elicit.ts"
export type { AuthProvider, ExecutorConfig, Plugin, PluginTool, Question, ToolContext, ToolDefinition } from "./definition.ts"
export type { StandardSchema } from "./standard-schema.ts"
