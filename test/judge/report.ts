// Adds up examinations: what was checked, what was set aside and why, and what is left to complain about.
import type { Examination, Finding } from "./examine.ts"
import { exceptionOf } from "./exceptions.ts"
import type { Exception } from "./exceptions.ts"

export type Report = {
  readonly documents: number
  readonly operations: number
  readonly toolsChecked: number
  readonly requestsJudged: number
  readonly requestsDoubted: number
  /** Complaints that count, by their code. */
  readonly complaints: Readonly<Record<string, number>>
  readonly setAside: Readonly<Record<string, number>>
  readonly unwatched: number
  readonly excepted: ReadonlyMap<Exception, number>
  readonly findings: readonly Finding[]
}

export function reportOf(examinations: readonly Examination[]): Report {
  const excepted = new Map<Exception, number>()
  const findings: Finding[] = []
  for (const finding of examinations.flatMap((examination) => examination.findings)) {
    const left = finding.complaints.filter((complaint) => {
      const exception = exceptionOf(finding, complaint)
      if (exception) excepted.set(exception, (excepted.get(exception) ?? 0) + 1)
      return exception === null
    })
    if (left.length > 0) findings.push({ ...finding, complaints: left })
  }
  const sum = (count: (examination: Examination) => number): number => examinations.reduce((total, one) => total + count(one), 0)
  return {
    documents: examinations.length,
    operations: sum((one) => one.operations),
    toolsChecked: sum((one) => one.toolsChecked),
    requestsJudged: sum((one) => one.requestsJudged),
    requestsDoubted: sum((one) => one.requestsDoubted),
    complaints: tally(findings.flatMap((finding) => finding.complaints.map(({ code }) => [code, 1]))),
    setAside: tally(examinations.flatMap((one) => Object.entries(one.setAside))),
    unwatched: sum((one) => one.unwatched.length),
    excepted,
    findings,
  }
}

function tally(counts: readonly (readonly [string, number])[]): Record<string, number> {
  const total: Record<string, number> = {}
  for (const [name, count] of counts) total[name] = (total[name] ?? 0) + count
  return total
}

export function printReport(report: Report): string {
  const { documents, operations, toolsChecked, requestsJudged, requestsDoubted, unwatched } = report
  const lines = (title: string, counts: readonly (readonly [string, number])[]): string[] =>
    counts.length === 0 ? [] : [title, ...counts.map(([name, count]) => `  ${String(count).padStart(5)}  ${name}`)]
  return [
    `${toolsChecked} of ${operations} operations in ${documents} documents checked, ${requestsJudged} requests judged, ${requestsJudged - requestsDoubted} of them without any reservation`,
    `${unwatched} operations have a part that the judge passes unseen`,
    ...lines("complaints:", Object.entries(report.complaints)),
    ...lines("set aside, because Prism", Object.entries(report.setAside)),
    ...lines(
      "excepted:",
      [...report.excepted].map(([{ document, tool, reason }, count]) => [`${document} ${tool ?? "*"}: ${reason}`, count]),
    ),
  ].join("\n")
}

/** Enough of a finding to repeat it. */
export const printFinding = ({ document, tool, fill, operation, complaints, request }: Finding): string =>
  [
    `${document} ${tool} (${fill}) ${operation}`,
    ...complaints.slice(0, 5).map(({ code, path, message }) => `  ${code} at ${path.join(".") || "the request"}: ${message}`),
    ...request.split("\n").map((line) => `  > ${line.slice(0, 500)}`),
  ].join("\n")
