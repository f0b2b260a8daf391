// Code with the lines that ask marked in it.
import type { ReactNode } from "react"
import { safeText } from "../../ui/text.tsx"

export const CodeLines = ({ code, lines }: { readonly code: string; readonly lines: ReadonlySet<number> }): ReactNode => (
  <pre
    tabIndex={0}
    role="region"
    aria-label="Code"
    className="max-h-96 overflow-auto rounded-control border border-line bg-surface py-2 font-mono text-sm"
  >
    {safeText(code)
      .split("\n")
      .map((text, at) => {
        const isMarked = lines.has(at + 1)
        const Tag = isMarked ? "mark" : "div"
        return (
          <Tag key={at} className={`block px-2 break-words whitespace-pre-wrap ${isMarked ? "tint-waiting" : "text-text"}`}>
            <span aria-hidden="true" className="inline-block w-8 pr-2 text-right text-tertiary select-none">
              {at + 1}
            </span>
            {isMarked ? <span className="sr-only">This line asks: </span> : null}
            {text}
          </Tag>
        )
      })}
  </pre>
)
