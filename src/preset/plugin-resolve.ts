// Lets a config file in the data directory import this package and zod without anything being installed there.
import { registerHooks } from "node:module"

const extension = import.meta.url.endsWith(".ts") ? ".ts" : ".js"
/** What this package exports to plugins; source and build differ in the extension only. */
const own: Readonly<Record<string, string>> = {
  executor: new URL(`../index${extension}`, import.meta.url).href,
  "executor/plugin": new URL(`../plugin/index${extension}`, import.meta.url).href,
  "executor/testing": new URL(`./plugin-testing${extension}`, import.meta.url).href,
}

/** An installed package of that name comes first; `configUrl` is loaded as a module, whatever stands around it. */
export function resolveOwnPackage(configUrl: string): { release(): void } {
  const hooks = registerHooks({
    resolve(specifier, context, next) {
      if (specifier === configUrl)
        return { ...next(specifier, context), format: /\.m?ts$/.test(configUrl) ? "module-typescript" : "module" }
      try {
        return next(specifier, context)
      } catch (error) {
        const url = Object.hasOwn(own, specifier) ? own[specifier] : specifier === "zod" ? import.meta.resolve("zod") : undefined
        if (url === undefined) throw error
        return { url, shortCircuit: true }
      }
    },
  })
  return { release: () => hooks.deregister() }
}
