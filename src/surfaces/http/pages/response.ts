// How pages that act are written: one style, one script, each allowed by its hash, and no way to frame them.
import { createHash } from "node:crypto"
import { raw } from "hono/html"
import { styleHash } from "./frame.ts"
import type { Html } from "./frame.ts"
import { commonHeaders } from "../response.ts"

/** Inline code of a page with the hash that allows it. */
export type PageAsset = { readonly tag: Html; readonly hash: string }

export const pageScript = (code: string): PageAsset => ({ tag: raw(`<script type="module">${code}</script>`), hash: hashOf(code) })
export const pageStyleSheet = (style: string): PageAsset => ({ tag: raw(`<style>${style}</style>`), hash: hashOf(style) })

export type PageParts = { readonly status: number; readonly script: PageAsset | null; readonly style: PageAsset }

export function actingPageResponse(html: string, { status, script, style }: PageParts, requestId: string): Response {
  const scripts = script === null ? "'none'" : `'${script.hash}'`
  const policy = [
    "default-src 'none'",
    `script-src ${scripts}`,
    `style-src '${styleHash}' '${style.hash}'`,
    "img-src data:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join("; ")
  const headers = {
    ...commonHeaders,
    "content-type": "text/html; charset=utf-8",
    "content-security-policy": policy,
    "x-frame-options": "DENY",
    "cross-origin-opener-policy": "same-origin",
    "x-request-id": requestId,
  }
  return new Response(html, { status, headers })
}

const hashOf = (text: string): string => `sha256-${createHash("sha256").update(text).digest("base64")}`
