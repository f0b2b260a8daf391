// The libraries that read pages, with types for a program without a browser's.
import { createRequire } from "node:module"
import type { PageDocument, PageNode } from "./page-node.ts"

const require = createRequire(import.meta.url)

type Article = { readonly title?: string | null; readonly content?: PageNode | null }
type ReadabilityOptions = { readonly maxElemsToParse: number; readonly keepClasses: boolean; serializer(node: PageNode): PageNode }
type Rule = { readonly filter: string; replacement(content: string, node: PageNode): string }
type Converter = { use(plugin: unknown): Converter; addRule(name: string, rule: Rule): Converter; turndown(node: PageNode): string }

// Each as its documentation says.
export const { createDocument } = require("@mixmark-io/domino") as { createDocument(html: string, force: true): PageDocument }
export const { Readability } = require("@mozilla/readability") as {
  Readability: new (page: PageDocument, options: ReadabilityOptions) => { parse(): Article | null }
}
export const Turndown = require("turndown") as new (options: Readonly<Record<string, string>>) => Converter
export const { gfm } = require("@joplin/turndown-plugin-gfm") as { gfm: unknown }
export type { Article }
