// The source of kind `plugin`: the tools of hand-written plugins that need a connection.
import { ExecutorError } from "../../core/errors.ts"
import { fail } from "../../core/result.ts"
import type { Plugin } from "../../plugin/definition.ts"
import type { SourceAdapter } from "../source-adapter.ts"
import { callHandler } from "./handler-call.ts"
import { listPluginTools } from "./list-tools.ts"

/** `definition`: the hash of what the plugin said when it was installed. */
export type PluginConfig = { readonly plugin: string; readonly definition: string }

export function createPluginAdapter(plugins: readonly Plugin[]): SourceAdapter<PluginConfig> {
  const find = (config: PluginConfig): Plugin | undefined => plugins.find((plugin) => plugin.id === config.plugin)
  return {
    kind: "plugin",
    toolsPer: "integration",
    documentField: null,
    parseConfig() {
      throw new ExecutorError(
        "invalid_request",
        "A plugin is code and cannot be added here: list it in executor.config.ts or pass it to createExecutor({ plugins }), and it becomes an integration automatically",
      )
    },
    listTools(request) {
      const plugin = find(request.config)
      if (plugin === undefined) return Promise.reject(new ExecutorError("conflict", notLoaded(request.config)))
      return Promise.resolve(listPluginTools(plugin))
    },
    callTool(request) {
      const plugin = find(request.config)
      const { path } = JSON.parse(request.tool.binding) as { path: string } // written by `listPluginTools`
      const tool = plugin?.tools.find((one) => one.path === path)
      if (plugin === undefined || tool === undefined)
        return Promise.resolve(
          fail("upstream_unreachable", plugin === undefined ? notLoaded(request.config) : notInVersion(path), { retryable: false }),
        )
      return callHandler({ ...request, plugin, tool, timeoutMs: request.limits.callTimeoutMs })
    },
    /** A URL never leads to a plugin. */
    detect: () => Promise.resolve(null),
  }
}

const notLoaded = ({ plugin }: PluginConfig): string =>
  `The plugin '${plugin}' is not loaded in this process; list it in executor.config.ts in the data directory, or pass it to createExecutor({ plugins })`

const notInVersion = (path: string): string =>
  `The plugin that is loaded in this process has no tool '${path}'; restart the server with the same plugins`
