// What Prism is known not to be able to read: complaints of these kinds say nothing about the request.
import type { IHttpRequest } from "@stoplight/prism-http"
import type { Operation } from "./prism-operation.ts"

export type Complaint = {
  /** The keyword of JSON Schema, the status, or the problem by which Prism calls it. */
  readonly code: string
  /** Where: the part of the request, and the names below it. */
  readonly path: readonly string[]
  readonly message: string
}

type Case = {
  readonly complaint: Complaint
  /** The names of the query, or of the fields of a form, in lower case. */
  readonly sent: readonly string[]
  readonly contentType: string
  readonly operation: Operation
}

type Limit = { readonly reason: string; holds(given: Case): boolean }

const isMultipart = ({ contentType }: Case): boolean => contentType.startsWith("multipart/")
const isForm = (given: Case): boolean => isMultipart(given) || given.contentType.startsWith("application/x-www-form-urlencoded")

const deepObject: ReadonlySet<string> = new Set(["deepObject"])

/** Of what a member is missing, and its name; all in lower case, as Prism compares names. */
function missingOf({ code, path, message }: Complaint): { readonly place: readonly string[]; readonly missing: string } {
  const missing = code === "required" ? (/required property '(.*)'$/.exec(message)?.[1] ?? "") : ""
  return { place: path.slice(1).map((name) => name.toLowerCase()), missing: missing.toLowerCase() }
}

const bracketed = ([first = "", ...others]: readonly string[]): string => [first, ...others.map((name) => `[${name}]`)].join("")

function isDeepObject(complaint: Complaint, { request }: Operation): boolean {
  const { place, missing } = missingOf(complaint)
  const name = place[0] ?? missing
  if (complaint.path[0] === "query")
    return request?.query?.some((one) => one.name.toLowerCase() === name && deepObject.has(one.style)) === true
  const encodings = request?.body?.contents?.flatMap((content) => content.encodings ?? []) ?? []
  return encodings.some((one) => one.property.toLowerCase() === name && one.style !== undefined && deepObject.has(one.style))
}

const limits: readonly Limit[] = [
  {
    reason: "takes every field of a form for one text, and cannot see the lists and objects in it",
    holds: (given) =>
      isForm(given) &&
      given.complaint.path.length === 2 &&
      given.complaint.code === "type" &&
      /must be (array|object)/.test(given.complaint.message),
  },
  {
    reason: "looks for the reserved characters of URLs in multipart bodies, which are not encoded like one",
    holds: (given) => isMultipart(given) && given.complaint.message.startsWith("Reserved characters"),
  },
  {
    reason: "cannot read lists of objects in the style `deepObject` of a form",
    holds: ({ complaint }) => complaint.message.startsWith("Cannot deserialize JSON object array"),
  },
  {
    reason: "sees an empty object where a `deepObject` was left out, and misses its members",
    holds: ({ complaint, sent, operation }) => {
      const { place, missing } = missingOf(complaint)
      return (
        missing !== "" &&
        place.length > 0 &&
        isDeepObject(complaint, operation) &&
        !sent.some((name) => name.startsWith(`${bracketed(place)}[`))
      )
    },
  },
  {
    reason: "reads a `deepObject` only where the schema is nothing but an object",
    holds: ({ complaint, sent, operation }) => {
      const { place, missing } = missingOf(complaint)
      return (
        missing !== "" && isDeepObject(complaint, operation) && sent.some((name) => name.startsWith(`${bracketed([...place, missing])}[`))
      )
    },
  },
  {
    reason: "reads only those fields of a form that the document describes",
    holds: (given) => isForm(given) && given.complaint.path.join() === "body" && given.sent.includes(missingOf(given.complaint).missing),
  },
  {
    reason: "does not read XML, and finds a text where the schema has an object",
    holds: ({ complaint, contentType }) => /[/+]xml\b/.test(contentType) && complaint.path.join() === "body" && complaint.code === "type",
  },
  {
    reason: "has no form for objects inside a list of a query, and neither has OpenAPI",
    holds: ({ complaint }) =>
      complaint.path[0] === "query" &&
      complaint.path.length === 3 &&
      complaint.code === "type" &&
      complaint.message.endsWith("must be object"),
  },
]

/** Null: the complaint is to be taken seriously. */
export function limitOf(complaint: Complaint, { headers, url, body }: IHttpRequest, operation: Operation): string | null {
  const contentType = headers?.["content-type"]?.toLowerCase() ?? ""
  const fields = typeof body === "string" && contentType.startsWith("application/x-www-form") ? [...new URLSearchParams(body).keys()] : []
  const sent = (complaint.path[0] === "body" ? fields : Object.keys(url.query ?? {})).map((name) => name.toLowerCase())
  return limits.find((limit) => limit.holds({ complaint, sent, contentType, operation }))?.reason ?? null
}

/** Why a request may fit no path although it is right. */
export function routeLimitOf({ code }: Complaint, path: string, operations: readonly Operation[]): string | null {
  const matches = (template: string): boolean => {
    const names = template.split("/")
    const values = path.split("/")
    return names.length === values.length && names.every((name, index) => name === values[index] || name.includes("{"))
  }
  const isOdd = operations.some((operation) => operation.path.includes("?") && matches(operation.path.split("?", 1)[0] ?? ""))
  return isOdd && code === "NO_PATH_MATCHED_ERROR" ? "finds no path that has a query in it, which OpenAPI does not allow" : null
}
