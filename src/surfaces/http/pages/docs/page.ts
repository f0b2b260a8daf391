// The reference at `/api/docs`, rendered from the OpenAPI document itself.
import { html } from "hono/html"
import type { ApiDocument, ApiOperation, ApiParameter, ApiResponse, JsonSchema } from "../../api-document.ts"
import type { Html } from "../frame.ts"
import { pageBar, pageFrame, prose, styleHash } from "../frame.ts"
import { docsScript } from "./script.ts"
import { htmlResponse } from "../../response.ts"
import { fieldRows, schemaType } from "./schema.ts"

type Entry = { readonly method: string; readonly path: string; readonly operation: ApiOperation }

export async function docsPage(document: ApiDocument): Promise<string> {
  const entries = Object.entries(document.paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]): Entry => ({ method, path, operation })),
  )
  const groups = document.tags.map((tag) => ({ tag, entries: entries.filter((entry) => entry.operation.tags.includes(tag.name)) }))
  const schemas = Object.entries(document.components.schemas)
  const page = pageFrame(
    "Executor API reference",
    html`${pageBar()}
      <div class="docs">
        <nav aria-label="Contents">
          <input type="search" id="find" placeholder="Search the API" aria-label="Search the API" hidden />
          <p id="found" class="soft" role="status"></p>
          <details id="contents" open>
            <summary>Contents</summary>
            ${groups.map(
              ({ tag, entries: list }) =>
                html`<div data-group>
                  <strong>${tag.name}</strong>
                  <ul>
                    ${list.map(({ operation }) => html`<li><a href="#${operation.operationId}">${operation.summary}</a></li>`)}
                  </ul>
                </div> `,
            )}
            <div data-group>
              <strong>schemas</strong>
              <ul>
                ${schemas.map(([name]) => html`<li><a href="#schema-${name}">${name}</a></li>`)}
              </ul>
            </div>
          </details>
        </nav>
        <main>
          <div data-group>${introduction(document)}</div>
          ${groups.map(
            ({ tag, entries: list }) =>
              html`<div data-group>
                <h2>${tag.name}</h2>
                <p>${prose(tag.description)}</p>
                ${list.map(operationSection)}
              </div>`,
          )}
          <div data-group>
            <h2>schemas</h2>
            ${schemas.map(([name, schema]) => schemaSection(name, schema))}
          </div>
        </main>
      </div>
      ${docsScript.tag}`,
  )
  return String(await page)
}

export const docsResponse = (page: string, requestId: string): Response =>
  htmlResponse(page, { style: styleHash, script: docsScript.hash }, requestId)

const introduction = (document: ApiDocument): Html =>
  html`<h1>${document.info.title} API</h1>
    <p class="soft">Version ${document.info.version} · <a href="/api/openapi.json">OpenAPI document</a></p>
    <p>${document.info.description}</p>
    <p>
      All paths are below <code>${document.servers[0]?.url ?? ""}</code>. Requests carry <code>Authorization: Bearer &lt;token&gt;</code>.
      Query keys may be written in camelCase or snake_case. Lists return <code>{ items, nextCursor }</code>; errors return
      <a href="#schema-Error"><code>{ error: { code, message, details? } }</code></a
      >. Every response has an <code>x-request-id</code>, which also identifies the request in the log.
    </p>`

const operationSection = ({ method, path, operation }: Entry): Html =>
  html`<section id="${operation.operationId}">
    <h3>${operation.summary}</h3>
    <p class="path"><code class="method method-${method}">${method.toUpperCase()}</code><code>${path}</code></p>
    <p>${prose(operation.description)}</p>
    ${parameterTable(operation.parameters)} ${bodyPart(operation)}
    <pre tabindex="0"><code>${curlExample(method, path, operation)}</code></pre>
    <h3>Responses</h3>
    <div class="scroll">
      <table>
        <thead>
          <tr>
            <th scope="col">Status</th>
            <th scope="col">Body</th>
            <th scope="col">Meaning</th>
          </tr>
        </thead>
        <tbody>
          ${Object.entries(operation.responses).map(([status, response]) => responseRow(status, response))}
        </tbody>
      </table>
    </div>
    ${answerExample(operation)}
  </section> `

const parameterTable = (parameters: readonly ApiParameter[]): Html =>
  parameters.length === 0
    ? html``
    : html`<h3>Parameters</h3>
        <div class="scroll">
          <table>
            <thead>
              <tr>
                <th scope="col">Name</th>
                <th scope="col">In</th>
                <th scope="col">Type</th>
                <th scope="col">Meaning</th>
              </tr>
            </thead>
            <tbody>
              ${parameters.map(
                (parameter) =>
                  html`<tr>
                    <td><code>${parameter.name}</code>${parameter.required ? " (required)" : ""}</td>
                    <td>${parameter.in}</td>
                    <td>${schemaType(parameter.schema)}</td>
                    <td>${prose(parameter.description)}</td>
                  </tr> `,
              )}
            </tbody>
          </table>
        </div>`

function bodyPart(operation: ApiOperation): Html {
  const media = operation.requestBody?.content["application/json"]
  return media === undefined ? html`` : html`<p>Body: ${schemaType(media.schema)}</p>`
}

const responseRow = (status: string, response: ApiResponse): Html => {
  const media = mediaOf(response)
  return html`<tr>
    <td><code>${status}</code></td>
    <td>${media === undefined ? "none" : schemaType(media.schema)}</td>
    <td>${prose(response.description)}</td>
  </tr> `
}

function answerExample(operation: ApiOperation): Html {
  const response = Object.entries(operation.responses).find(([status]) => status.startsWith("2"))?.[1]
  const example = response === undefined ? undefined : mediaOf(response)?.example
  return example === undefined
    ? html``
    : html`<details>
        <summary>Example response</summary>
        <pre tabindex="0"><code>${typeof example === "string" ? example : JSON.stringify(example, null, 2)}</code></pre>
      </details>`
}

const mediaOf = ({ content }: ApiResponse) => content?.["application/json"] ?? content?.["text/event-stream"]

const schemaSection = (name: string, schema: JsonSchema): Html =>
  html`<section id="schema-${name}">
    <h3>${name}</h3>
    ${typeof schema.description === "string" ? html`<p>${prose(schema.description)}</p>` : ""} ${fieldRows(schema)}
  </section> `

function curlExample(method: string, path: string, operation: ApiOperation): string {
  const samples: Record<string, string> = { owner: "org", integration: "petstore", name: "main", slug: "petstore", id: "tok_0mh2k3v9x41c" }
  const inPath = new Map(operation.parameters.map((parameter) => [parameter.name, exampleOf(parameter.schema)]))
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => inPath.get(name) ?? samples[name] ?? name)
  const query = operation.parameters
    .filter((parameter) => parameter.in === "query" && parameter.required)
    .map((parameter) => `${parameter.name}=${encodeURIComponent(exampleOf(parameter.schema) ?? samples[parameter.name] ?? "")}`)
    .join("&")
  const verb = method === "get" ? "" : `-X ${method.toUpperCase()} `
  const auth = operation.security === undefined ? ` \\\n  -H "authorization: Bearer $EXECUTOR_TOKEN"` : ""
  const [body] = Object.values(operation.requestBody?.content["application/json"].examples ?? {})
  const data = body === undefined ? "" : ` \\\n  --json '${JSON.stringify(body.value, null, 2)}'`
  return `curl ${verb}"$EXECUTOR_ORIGIN${filled}${query === "" ? "" : `?${query}`}"${auth}${data}`
}

const exampleOf = (schema: JsonSchema): string | undefined => (Array.isArray(schema.examples) ? String(schema.examples[0]) : undefined)
