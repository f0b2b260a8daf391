// A page's only script: written into it, and allowed by its hash.
import { createHash } from "node:crypto"
import { raw } from "hono/html"
import type { Html } from "./frame.ts"

export type PageScript = { readonly tag: Html; readonly hash: string }

export const pageScript = (code: string): PageScript => ({
  tag: raw(`<script type="module">${code}</script>`),
  hash: `sha256-${createHash("sha256").update(code).digest("base64")}`,
})
