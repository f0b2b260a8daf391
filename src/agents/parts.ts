// The ports and settings that the functions about agents take as their last parameter.
import type { CatalogParts } from "../catalog/catalog-parts.ts"

export type AgentParts = Pick<CatalogParts, "store" | "access" | "limits" | "clock">
