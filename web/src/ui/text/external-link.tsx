// A link to somewhere else: only http and https lead anywhere, whatever a stranger wrote there.
import type { ReactNode } from "react"
import { ExternalLink as Icon } from "lucide-react"
import { safeLine } from "./text.tsx"

export function isWebUrl(text: string): boolean {
  const url = URL.parse(text)
  return url !== null && (url.protocol === "https:" || url.protocol === "http:") && url.username === "" && url.password === ""
}

type LinkProps = { readonly url: string; readonly children?: string; readonly className?: string }

/** Another address is shown as text. */
export function ExternalLink({ url, children = url, className = "" }: LinkProps): ReactNode {
  if (!isWebUrl(url)) return <bdi className={`stranger break-all ${className}`}>{safeLine(children)}</bdi>
  return (
    <a href={url} target="_blank" rel="noopener noreferrer" title={safeLine(url)} className={`stranger break-words ${className}`}>
      {safeLine(children)}
      <Icon size={12} aria-label="opens in a new tab" className="ml-1 inline align-[-1px]" />
    </a>
  )
}
