// The port of search: the index of tools and the questions it answers; the rest of the product imports this file alone.
export { evaluateCatalog } from "./evaluation/catalog.ts"
export type { EvaluatedCatalog } from "./evaluation/catalog.ts"
export type { IndexedTool, Mount, SearchAnswer, SearchHit, SearchRequest } from "./indexed-tool.ts"
export { parametersIn } from "./index/parameters.ts"
export { describeShort } from "./language/describe-short.ts"
export { namesNear } from "./language/names-near.ts"
export { createSearchIndex } from "./search-index.ts"
export { standsOut } from "./stands-out.ts"
