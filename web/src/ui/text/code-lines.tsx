// Code with some of its lines marked.
import type { ReactNode } from "react"
import { useEffect, useRef } from "react"
import { safeText } from "./text.tsx"

export type LineMark = { readonly tone: "waiting" | "danger" | "info"; /** For whoever does not see the colour. */ readonly note: string }

const tints: Record<LineMark["tone"], string> = { waiting: "tint-waiting", danger: "tint-danger", info: "tint-info" }

type CodeLinesProps = {
  readonly code: string
  /** By the number of the line, from 1. */
  readonly marks: ReadonlyMap<number, LineMark>
  /** A marked line to bring into sight. */
  readonly shown?: number | null
}

export function CodeLines({ code, marks, shown = null }: CodeLinesProps): ReactNode {
  const box = useRef<HTMLPreElement>(null)
  useEffect(() => {
    const line = shown === null ? null : box.current?.querySelector<HTMLElement>(`[data-line="${shown}"]`)
    // Only the box scrolls, never the page around it.
    if (line !== null && line !== undefined && box.current !== null)
      box.current.scrollTop = line.offsetTop - box.current.offsetTop - box.current.clientHeight / 2
  }, [shown, code])
  return (
    <pre
      ref={box}
      tabIndex={0}
      role="region"
      aria-label="Code"
      className="max-h-96 overflow-auto rounded-control border border-line bg-surface py-2 font-mono text-sm"
    >
      {safeText(code)
        .split("\n")
        .map((text, at) => {
          const mark = marks.get(at + 1)
          const Tag = mark === undefined ? "div" : "mark"
          return (
            <Tag
              key={at}
              data-line={at + 1}
              className={`block pr-2 pl-10 -indent-8 break-words whitespace-pre-wrap ${mark === undefined ? "text-text" : tints[mark.tone]}`}
            >
              <span aria-hidden="true" className="inline-block w-8 pr-2 text-right text-tertiary select-none">
                {at + 1}
              </span>
              {mark === undefined ? null : <span className="sr-only">{mark.note}: </span>}
              {text}
            </Tag>
          )
        })}
    </pre>
  )
}
