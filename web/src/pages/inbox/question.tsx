// A question of a tool: its text is a stranger's, so it is quoted below a line that names who asks.
import type { ReactNode } from "react"
import type { ApprovalView } from "toolplane/client"
import { questionSource, questionWarning, viewLink } from "../../../../src/core/text/question.ts"
import { Line, Prose } from "../../ui/text/text.tsx"

export const QuestionText = ({ one }: { readonly one: ApprovalView }): ReactNode => (
  <div className="flex flex-col gap-2">
    <p>
      <Line>{questionSource(one) ?? "The tool"}</Line> asks:
    </p>
    <blockquote className="border-l-2 border-control pl-3">
      <Prose>{one.message}</Prose>
    </blockquote>
    <p className="tint-warn rounded-control px-2 py-1">{questionWarning}</p>
    {one.kind === "url" ? <QuestionLink url={one.url ?? ""} /> : null}
  </div>
)

function QuestionLink({ url }: { readonly url: string }): ReactNode {
  const view = viewLink(url)
  if (view === null) return <p>Its link is not shown: it is not a plain web address.</p>
  return (
    <>
      <p>
        It asks you to open a page on <strong>{view.host}</strong>:{" "}
        <a href={view.href} rel="noopener noreferrer" target="_blank">
          <Line>{view.place}</Line>
        </a>
      </p>
      <p className="text-sm break-all text-secondary">
        In full: <Line>{view.href}</Line>
      </p>
      {view.warning === null ? null : <p className="text-danger">{view.warning}</p>}
    </>
  )
}
