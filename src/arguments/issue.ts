// What is wrong with the arguments of a call, in the codes that clients rely on.

export const argsIssueCodes = [
  "missing_required_field",
  "unexpected_field",
  "wrong_type",
  "invalid_enum",
  "schema_branch_mismatch",
  "invalid_value",
] as const
export type ArgsIssueCode = (typeof argsIssueCodes)[number]

export type ArgsIssue = {
  /** `items[2].name`; empty for the arguments as a whole. */
  readonly path: string
  readonly code: ArgsIssueCode
  readonly message: string
}

/** An issue before it is worded: of the many that alternatives may have, few are told. */
export type Finding = {
  readonly path: string
  readonly code: ArgsIssueCode
  readonly message: () => string
  /** In a form by which the findings of several alternatives can be merged. */
  readonly expected: Expected
  /** The value that was found, for a merged message. */
  readonly found: unknown
}
export type Expected =
  | { readonly kind: "types"; readonly types: readonly string[] }
  | { readonly kind: "values"; readonly values: readonly unknown[] }
  | { readonly kind: "other" }

export type ArgsVerdict = { readonly ok: true } | { readonly ok: false; readonly issues: readonly ArgsIssue[]; readonly message: string }

/** The first missing parameter leads, because a model corrects that most easily. */
export function refuseArgs(findings: readonly Finding[], issuesMax: number): ArgsVerdict {
  // Cut before they are ordered: a thousand missing fields of one row must not hide what else is wrong.
  const issues = findings.slice(0, issuesMax).map(({ path, code, message }) => ({ path, code, message: message() }))
  const isMissing = (issue: ArgsIssue): boolean => issue.code === "missing_required_field"
  const ordered = [...issues.filter(isMissing), ...issues.filter((issue) => !isMissing(issue))]
  return { ok: false, issues: ordered, message: ordered[0]?.message ?? "The arguments do not match the tool's schema" }
}

/** A wrong type explains every other complaint about the same value, and one complaint of a kind is enough. */
export const isExplained = (finding: Finding, known: readonly Finding[]): boolean =>
  known.some(({ path, code }) => path === finding.path && (code === finding.code || code === "wrong_type"))
