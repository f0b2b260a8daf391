// Where a credential will be sent, before it is given.
import type { ReactNode } from "react"
import { Notice } from "../../../ui/notice.tsx"
import { Mono } from "../../../ui/text/text.tsx"

type OriginsProps = { readonly origins: readonly string[]; readonly hasSecret: boolean }

export const OriginsNotice = ({ origins, hasSecret }: OriginsProps): ReactNode => (
  <Notice tone="info" title={hasSecret ? "The credential will be sent to" : "Calls will be sent to"}>
    {origins.length === 0 ? (
      "No host is known yet: nothing is sent until the source names one."
    ) : (
      <>
        <ul className="flex flex-col">
          {origins.map((origin) => (
            <li key={origin}>
              <Mono className="break-all">{origin}</Mono>
            </li>
          ))}
        </ul>
        {hasSecret ? "and nowhere else. If the source names another host later, it waits until somebody confirms that." : null}
      </>
    )}
  </Notice>
)
