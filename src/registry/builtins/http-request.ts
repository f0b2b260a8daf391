// `builtin.http_request`: sends one HTTP request to an address that the caller names.
import { isRecord } from "../../core/json/record.ts"
import { checkHeaderArguments, effectOfMethod, httpMethods, sendHttp, withQuery } from "../../sources/registry/http-call.ts"
import { anyJson, checkUrl, input, stringMap, timeoutOf, timeoutSeconds, toBuiltin, urlText } from "./builtin.ts"
import type { BuiltinParts, BuiltinTool } from "./builtin.ts"
import { placeCredential } from "./credential-place.ts"

export const httpRequestTool = ({ outbound, limits }: BuiltinParts): BuiltinTool =>
  toBuiltin({
    key: "http_request",
    title: "HTTP request",
    description:
      "Send an HTTP request to a public URL and get the status, headers and body of the response; JSON bodies are parsed. Needs approval unless a policy allows the address. It sends no credentials: connect an integration for an API that needs them. For web pages to read, use builtin.web_fetch.",
    effect: "write",
    effectOf: ({ method }) => effectOfMethod(String(method)),
    addressArg: "url",
    input: input(
      {
        method: { type: "string", enum: httpMethods },
        url: { ...urlText, description: "An absolute http or https URL. Redirects are followed within its host only." },
        headers: { ...stringMap, description: "Request headers; not authorization, cookie, host, or those of the connection." },
        query: { type: "object", description: "Added to the URL's query; a list repeats its name." },
        body: { ...anyJson, description: "Text is sent as it is, any other value as JSON." },
        timeout_s: timeoutSeconds(limits),
      },
      ["method", "url"],
    ),
    output: { description: "The body: parsed JSON, text, a file, or null. The envelope's `http` has the status and headers." },
    async call({ args, signal, timeoutMs, answerTurn }, { credential }) {
      const target = checkUrl(args["url"], "url")
      if (!target.ok) return target
      const checked = checkHeaderArguments(args["headers"])
      if (!checked.ok) return checked
      const placed = placeCredential(credential, target.url)
      if (!placed.ok) return placed
      const query = isRecord(args["query"]) ? Object.entries(args["query"]) : []
      const request = {
        method: String(args["method"]),
        url: withQuery(target.url.href, query),
        headers: { ...checked.headers, ...placed.headers },
        body: args["body"] ?? undefined,
      }
      const parts = {
        outbound,
        limits,
        signal,
        answerTurn,
        timeoutMs: timeoutOf(args["timeout_s"], timeoutMs),
        redirects: "same_host",
      } as const
      return sendHttp(request, parts)
    },
  })
