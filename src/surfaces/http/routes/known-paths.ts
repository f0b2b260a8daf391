// The response to a request that matches no route.
import { ExecutorError } from "../../../core/errors.ts"

type KnownPaths = {
  /** The methods that the path does answer, as the `Allow` header lists them; null for an unknown path. */
  methodsAt(path: string): string | null
  /** Below `/api` a stranger does not even learn which paths exist. */
  needsToken(path: string): boolean
  notFound(path: string): ExecutorError
}

const openApiPaths = new Set(["/api/health", "/api/openapi.json", "/api/docs"])

export function knownPaths(routes: readonly { readonly method: string; readonly path: string }[]): KnownPaths {
  const known = routes.map((route) => ({ method: route.method, pattern: pathPattern(route.path) }))
  return {
    methodsAt(path) {
      const methods = new Set(known.filter((route) => route.pattern.test(path)).map((route) => route.method))
      if (methods.has("GET")) methods.add("HEAD")
      return methods.size === 0 ? null : [...methods].join(", ")
    },
    needsToken: (path) => isApi(path) && !openApiPaths.has(path.replace(/\/+$/, "")),
    notFound(path) {
      const hint = isApi(path) ? "the paths are listed at /api/docs" : "the API is below /api, its reference at /api/docs"
      return new ExecutorError("not_found", `There is nothing at ${JSON.stringify(path.slice(0, 200))}; ${hint}`)
    },
  }
}

const isApi = (path: string): boolean => path === "/api" || path.startsWith("/api/")

const pathPattern = (path: string): RegExp => new RegExp(`^${path.replaceAll(".", "\\.").replace(/:\w+/g, "[^/]+")}/?$`)
