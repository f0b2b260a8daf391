// The snippets of the discovery guide, run as they are written there, with raw results, against an API shaped like GitHub's.
import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { createServer } from "node:http"
import type { Server } from "node:http"
import type { AddressInfo } from "node:net"
import { createRequire } from "node:module"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, expect, test } from "vitest"
import { createExecutor } from "../../src/index.ts"
import type { Executor } from "../../src/index.ts"

const dataDir = mkdtempSync(join(tmpdir(), "executor-guide-"))
let upstream: Server
let executor: Executor

const spec = {
  openapi: "3.1.0",
  info: { title: "Payments", version: "1" },
  paths: {
    "/charges": {
      post: {
        operationId: "charges/create",
        summary: "Create a charge",
        requestBody: {
          content: {
            "application/json": {
              schema: {
                type: "object",
                properties: { amount: { type: "integer" }, currency: { type: "string" }, source: { type: "string" } },
              },
            },
          },
        },
        responses: {},
      },
    },
  },
}

beforeAll(async () => {
  upstream = createServer((request, response) => {
    const path = request.url ?? ""
    const isMissing = path.startsWith("/repos/nonexistent")
    response.writeHead(isMissing ? 404 : 200, { "content-type": "application/json" })
    if (isMissing) response.end('{"message":"Not Found"}')
    else if (path.startsWith("/orgs/"))
      response.end(JSON.stringify(Array.from({ length: 7 }, (_, at) => ({ name: `r${at}`, stargazers_count: at }))))
    else response.end(JSON.stringify({ path, method: request.method }))
  })
  await new Promise<void>((resolve) => upstream.listen(0, "127.0.0.1", resolve))
  const baseUrl = `http://127.0.0.1:${(upstream.address() as AddressInfo).port}`
  executor = await createExecutor({ dataDir })
  const github = readFileSync(createRequire(import.meta.url).resolve("@octokit/openapi/generated/api.github.com.json"), "utf8")
  await executor.integrations.add({ slug: "github", kind: "openapi", config: { spec: github, baseUrl } })
  await executor.integrations.add({ slug: "stripe", kind: "openapi", config: { spec, baseUrl } })
  for (const integration of ["github", "stripe"]) await executor.connections.create({ integration })
})
afterAll(async () => {
  await executor.close()
  upstream.close()
  rmSync(dataDir, { recursive: true })
})

async function run(code: string): Promise<unknown> {
  const { structured } = await executor.run(code, { results: "raw", approval: "throw" })
  if (structured.status === "waiting_for_interaction") return "paused"
  return structured.error === undefined ? structured.result : { thrown: structured.error.message }
}

test("catalog", async () => {
  expect(await run(`const namespaces = await tools.catalog.namespaces({});\nreturn namespaces`)).toEqual(["builtin", "github", "stripe"])
  const code = `
// All tools in a namespace
const githubTools = await tools.catalog.tools({ 
  namespace: "github",
  limit: 20 
});

// Search across all tools
const repoTools = await tools.catalog.tools({ 
  query: "repository",
  limit: 10
});
return [githubTools.length, repoTools.length, repoTools[0]]`
  expect(await run(code)).toEqual([20, 10, { path: expect.stringContaining("github."), hint: expect.any(String), namespace: "github" }])
})

test("discover", async () => {
  const compact = `
// Compact discovery (recommended)
const discovered = await tools.discover({
  query: "github get repository",
  compact: true
});
const params = { owner: "octocat", repo: "hello-world" };
if (discovered.bestPath) {
  // Use the recommended path directly
  const repo = await tools[discovered.bestPath](params);
  return repo.path;
}`
  expect(await run(compact)).toBe("/repos/octocat/hello-world")
  const schemas = `
const withSchemas = await tools.discover({
  query: "slack post message",
  includeSchemas: true,
  limit: 5
});

for (const tool of withSchemas.results) {
  console.log(tool.path);
  console.log(tool.inputSchema);
  console.log(tool.outputSchema);
}
return Object.keys(withSchemas)`
  expect(await run(schemas)).toEqual(["bestPath", "results", "total"])
  const narrowing = `
const found = await tools.discover({ 
  query: "github",
  compact: true,
  limit: 10
});
const detailed = await tools.discover({
  query: found.results[0].path,
  includeSchemas: true,
  limit: 1
});
return detailed.results[0].path === found.results[0].path && typeof detailed.results[0].inputSchema`
  expect(await run(narrowing)).toBe("object")
})

test("invocation", async () => {
  const code = `
// Direct invocation
const repo = await tools.github.repos.get({
  owner: "octocat",
  repo: "hello-world"
});

// Dynamic invocation (use discovered path)
const toolPath = "github.repos.get";
const result = await tools[toolPath]({
  owner: "octocat",
  repo: "hello-world"
});

// GET request
const user = await tools.github.users.getByUsername({
  username: "octocat"
});
return [repo.path, result.path, user.path]`
  expect(await run(code)).toEqual(["/repos/octocat/hello-world", "/repos/octocat/hello-world", "/users/octocat"])
  const summary = `
const repos = await tools.github.repos.listForOrg({ 
  org: "myorg" 
});
return {
  total: repos.length,
  sample: repos.slice(0, 5).map(r => ({
    name: r.name,
    stars: r.stargazers_count
  })),
  hasMore: repos.length > 5
};`
  expect(await run(summary)).toMatchObject({ total: 7, sample: { length: 5 }, hasMore: true })
})

test("approval", async () => {
  const code = `
try {
  const result = await tools.stripe.charges.create({
    amount: 1000,
    currency: "usd",
    source: "tok_visa"
  });
  return result;
} catch (error) {
  if (error.kind === "pending") {
    // Approval required - task will pause
    return \`Approval needed: \${error.approvalId}\`;
  }
  throw error;
}`
  const asked = await run(code)
  expect(asked).toMatch(/^Approval needed: apr_/)
  const [waiting] = (await executor.approvals.list()).items
  await executor.approvals.answer(waiting?.approvalId ?? "", { action: "accept" })
  expect(await run(code)).toEqual({ path: "/charges", method: "POST" })
  expect(await run(code)).toMatch(/^Approval needed: /)
})

test("errors", async () => {
  expect(await run(`await tools.nonexistent.method();`)).toMatchObject({
    thrown: expect.stringContaining("Tool path 'nonexistent.method' not found"),
  })
  expect(await run(`await tools.github.repos.get({ owner: "octocat" });`)).toMatchObject({
    thrown: expect.stringContaining("Missing required parameter 'repo'"),
  })
  const propagated = `
try {
  await tools.github.repos.get({ 
    owner: "nonexistent",
    repo: "repo"
  });
} catch (error) {
  return [error.status, error.message];
}`
  expect(await run(propagated)).toEqual([404, "Not Found"])
})

test("the worked example", async () => {
  const code = `
// 1. List namespaces
const namespaces = await tools.catalog.namespaces({});
console.log('Available:', namespaces);

// 2. Explore a namespace
const githubTools = await tools.catalog.tools({
  namespace: 'github',
  limit: 20
});

// 3. Find specific tool
const discovered = await tools.discover({
  query: 'create issue',
  compact: true
});

if (discovered.bestPath) {
  const issue = await tools[discovered.bestPath]({
    owner: 'myorg',
    repo: 'myrepo',
    title: 'Bug found',
    body: 'Details here'
  });
  return issue;
}`
  const { executionId } = await executor.run(code, { results: "raw" })
  const { structured } = await executor.resume(executionId, { action: "accept" })
  expect(structured).toMatchObject({ status: "completed", result: { path: "/repos/myorg/myrepo/issues", method: "POST" } })
})
