// Lets a config file in the data directory import this package and zod without anything being installed there.
import { registerHooks } from "node:module"

const extension = import.meta.url.endsWith(".ts") ? ".ts" : ".js"
/** What this package exports to plugins; source and build differ in the extension only. */
const own: Readonly<Record<string, string>> = {
  toolplane: new URL(`../index${extension}`, import.meta.url).href,
  "toolplane/plugin": new URL(`../plugin/index${extension}`, import.meta.url).href,
  "toolplane/testing": new URL(`./plugin-testing${extension}`, import.meta.url).href,
}

/** For threads, which import the same modules. */
export const resolverModule = import.meta.url

/** An installed package of that name comes first. Files beside the config are modules, whatever package they stand in. */
export function resolveOwnPackage(configUrl: string): { release(): void } {
  const folder = new URL(".", configUrl).href
  const formatOf = (url: string): string | undefined => {
    if (url !== configUrl && (!url.startsWith(folder) || url.includes("/node_modules/"))) return undefined
    if (/\.m?ts$/.test(url)) return "module-typescript"
    return url === configUrl ? "module" : undefined
  }
  const hooks = registerHooks({
    resolve(specifier, context, next) {
      try {
        const found = next(specifier, context)
        const format = formatOf(found.url)
        return format === undefined ? found : { ...found, format }
      } catch (error) {
        const url = Object.hasOwn(own, specifier) ? own[specifier] : specifier === "zod" ? import.meta.resolve("zod") : undefined
        if (url === undefined) throw error
        return { url, shortCircuit: true }
      }
    },
  })
  return { release: () => hooks.deregister() }
}
