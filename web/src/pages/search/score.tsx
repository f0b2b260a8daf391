// How a set was answered: the scores beside plain BM25 and the run before, and the requests whose first hit was wrong.
import type { ReactNode } from "react"
import type { CatalogEvaluation, Evaluation } from "toolplane/client"
import { Button } from "../../ui/button.tsx"
import { Line, Mono, safeLine } from "../../ui/text/text.tsx"

type ScoreProps = { readonly answer: CatalogEvaluation; readonly before: Evaluation | null; readonly onTry: (query: string) => void }

const measures: readonly (readonly [keyof Evaluation, string])[] = [
  ["hit1", "First hit right"],
  ["recall5", "Right tools in the first five"],
  ["ndcg5", "Order of the first five (nDCG)"],
]

const percent = (value: number): string => `${(value * 100).toFixed(1)} %`

const cell = "px-3 py-1.5 text-right tabular"

export function Score({ answer: { search, plainBm25, misses, unknownPaths }, before, onTry }: ScoreProps): ReactNode {
  return (
    <section aria-label="Result" className="flex flex-col gap-3">
      <div className="overflow-x-auto rounded-card border border-line">
        <table className="w-full">
          <caption className="sr-only">How well search answered the set</caption>
          <thead>
            <tr className="border-b border-line text-secondary">
              <th scope="col" className="px-3 py-1.5 text-left font-medium">
                {search.queries === 1 ? "1 request" : `${search.queries.toLocaleString("en")} requests`}
              </th>
              <th scope="col" className={`${cell} font-medium`}>
                Now
              </th>
              <th scope="col" className={`${cell} font-medium`}>
                Before
              </th>
              <th scope="col" className={`${cell} font-medium`}>
                Plain BM25
              </th>
            </tr>
          </thead>
          <tbody>
            {measures.map(([name, label]) => (
              <tr key={name}>
                <th scope="row" className="px-3 py-1.5 text-left font-normal">
                  {label}
                </th>
                <td className={`${cell} font-semibold`}>{percent(search[name])}</td>
                <td className={cell}>{before === null ? "–" : <Before now={search[name]} before={before[name]} />}</td>
                <td className={`${cell} text-secondary`}>{percent(plainBm25[name])}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {unknownPaths.length === 0 ? null : (
        <p className="tint-warn rounded-card px-3 py-2 break-all">
          Not in the catalog: <Line>{unknownPaths.slice(0, 5).join(", ")}</Line>
          {unknownPaths.length > 5 ? ` and ${unknownPaths.length - 5} more` : ""}
        </p>
      )}
      {misses.length === 0 ? (
        <p role="status">Every first hit is right.</p>
      ) : (
        <>
          <h2 className="font-semibold">Wrong first</h2>
          <ul aria-label="Wrong first" className="divide-y divide-line rounded-card border border-line">
            {misses.slice(0, missesShownMax).map(({ query, wanted, found }) => (
              <li key={query} className="flex flex-wrap items-start gap-3 px-3 py-2">
                <div className="flex min-w-0 flex-1 basis-64 flex-col gap-0.5">
                  <span className="break-words">
                    <Line>{query}</Line>
                  </span>
                  <span className="break-all text-secondary">
                    wanted <Mono>{wanted.join(", ")}</Mono>
                  </span>
                  <span className="break-all text-secondary">
                    found <Mono>{found[0] ?? "nothing"}</Mono>
                  </span>
                </div>
                <Button aria-label={`Try it: ${safeLine(query)}`} onClick={() => onTry(query)}>
                  Try it
                </Button>
              </li>
            ))}
          </ul>
          {misses.length > missesShownMax ? (
            <p className="text-sm text-tertiary">
              The first {missesShownMax} of {misses.length.toLocaleString("en")}.
            </p>
          ) : null}
        </>
      )}
    </section>
  )
}

const missesShownMax = 50

const Before = ({ now, before }: { readonly now: number; readonly before: number }): ReactNode => {
  const points = Math.round((now - before) * 1000) / 10
  const change = points === 0 ? "same" : `${points > 0 ? "▲ +" : "▼ −"}${Math.abs(points).toFixed(1)}`
  return (
    <>
      {percent(before)} <span className={points === 0 ? "text-tertiary" : points > 0 ? "text-ok" : "text-danger"}>{change}</span>
    </>
  )
}
