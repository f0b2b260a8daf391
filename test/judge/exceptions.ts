// Complaints that were read one by one, and found to say nothing against the request: documents that contradict themselves, mostly.
import type { Finding } from "./examine.ts"
import type { Complaint } from "./prism-limits.ts"

export type Exception = {
  /** How the document's name begins. */
  readonly document: string
  /** The tool; without it all of the document's. */
  readonly tool?: string
  readonly code: string
  /** The place that the complaint names; without it any. */
  readonly at?: string
  readonly reason: string
}

export const exceptions: readonly Exception[] = [
  {
    document: "adobe.com__aem",
    tool: "sling.postAuthorizableKeystore",
    code: "required",
    at: "query",
    reason: "`/{path}/{name}.ks.html` is taken for `/{path}/{name}`, which fits as well: the document's paths overlap",
  },
  ...[
    ["apacta.com", "query.extended"],
    ["opensuse.org", "query.addrevision"],
    ["opensuse.org", "query.ignore_delegate"],
    ["opensuse.org", "query.ignore_build_state"],
    ["probely.com", "query.severity"],
    ["probely.com", "body.severity"],
  ].map(([document = "", at = ""]) => ({
    document,
    code: "enum",
    at,
    reason: "a text with numbers or booleans for its values, so that no value fits; the product takes them for texts",
  })),
  ...[
    ["bbc.co.uk", "query.media_set"],
    ["gerermesaffaires.com", "body.Groups"],
  ].map(([document = "", at = ""]) => ({
    document,
    code: "enum",
    at,
    reason: "a list whose values are listed as texts, so that no value fits; the product takes them for its items",
  })),
  {
    document: "data2crm.com",
    code: "required",
    at: "header",
    reason: "a time must have one form by its pattern and another by its format, so that none can be made; it was left out",
  },
  { document: "e-conomic.com", code: "required", at: "body", reason: "a closed object requires names that it does not list" },
  {
    document: "gerermesaffaires.com",
    code: "oneOf",
    reason: "exactly one of two objects must fit, and every value of the first fits the second; the product sends it",
  },
  {
    document: "gettyimages.com",
    tool: "v3.search.byImage.uploads.update",
    code: "pattern",
    reason: "the bytes of a JPEG are described as base64; they are sent as they are",
  },
  { document: "gettyimages.com", tool: "v3.search.byImage.uploads.update", code: "format", reason: "as above" },
  { document: "gov.bc.ca__jobposting", code: "type", at: "body.jobTypes", reason: "an integer whose values are lists" },
  { document: "graphhopper.com", code: "required", at: "", reason: "exactly one of two objects must fit, and neither requires anything" },
  { document: "libretranslate.local", code: "type", at: "body", reason: "forms are described as texts; they are sent as forms" },
  { document: "mastodon.local", code: "415", reason: "`application/form-data` is no media type; forms are sent as `multipart/form-data`" },
  { document: "nrm.se", code: "415", reason: "Swagger 2.0 describes forms by fields, and this one has a body; Prism then expects nothing" },
  {
    document: "opensuse.org",
    tool: "request.cmdDiff.create",
    code: "required",
    at: "query",
    reason: "`/request/{id}?cmd=diff` is taken for `/request/{id}`, because paths have no query in OpenAPI",
  },
  {
    document: "rebilly.com",
    tool: "kycDocuments.patchKycRequest",
    code: "required",
    reason: "what stands beside a `$ref` is ignored in OpenAPI 3.0, and Prism heeds it",
  },
  ...["required", "oneOf"].flatMap((code) =>
    ["kycDocuments.postKycDocument", "kycDocuments.putKycDocument"].map((tool) => ({
      document: "rebilly.com",
      tool,
      code,
      reason: "Prism knows no discriminator, and demands what is read-only inside alternatives",
    })),
  ),
  {
    document: "rebilly.com",
    tool: "orders.postSubscriptionItemsChange",
    code: "required",
    reason: "the id is read-only in one part of the schema and required in another",
  },
  {
    document: "rebilly.com",
    tool: "paymentInstruments.patchPaymentInstrument",
    code: "oneOf",
    reason: "exactly one of several objects must fit, and they overlap; the product sends what fits several",
  },
]

export function exceptionOf(finding: Finding, { code, path }: Complaint): Exception | null {
  const isMet = (exception: Exception): boolean =>
    finding.document.startsWith(exception.document) &&
    exception.code === code &&
    (exception.tool === undefined || exception.tool === finding.tool) &&
    (exception.at === undefined || exception.at === path.join("."))
  return exceptions.find(isMet) ?? null
}
