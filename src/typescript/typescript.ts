// The port of the TypeScript printer: JSON Schemas in, declarations out; the rest of the product imports this file alone.
export type { CatalogTool, CatalogToolSet } from "./catalog-tool-set.ts"
export { printCatalogTypes } from "./catalog-types.ts"
export type { CatalogIntegration } from "./catalog-types.ts"
export type { DefinitionMemo } from "./definition-memo.ts"
export { printToolTypes } from "./tool-types.ts"
