// Slugs that people would choose themselves.
import { expect, it } from "vitest"
import { suggestSlug } from "./slug-suggest.ts"

it.each([
  [["https://api.github.com"], "GitHub's official OpenAPI spec + Octokit extension", "github"],
  [["https://api.stripe.com"], "Stripe API", "stripe"],
  [["https://graph.microsoft.com"], "OData Service for namespace microsoft.graph", "microsoft_graph"],
  [["https://gmail.googleapis.com"], "Gmail API", "gmail"],
  [["https://www.googleapis.com"], "Calendar API", "calendar"],
  [["https://api.eu.mailgun.net"], "Mailgun", "mailgun"],
  [["https://api.bank.co.uk"], "Accounts", "bank"],
  [["https://mcp.linear.app"], "Linear MCP", "linear"],
  [["https://api-v2.some-thing.io"], "X", "some_thing"],
  [["https://petstore3.swagger.io"], "Swagger Petstore - OpenAPI 3.0", "petstore"],
  [["http://127.0.0.1:8080"], "Pets API", "pets"],
  [["https://api.com"], "Plain", "plain"],
  [["https://api.search.com"], "Search", "search_api"],
  [[], "Orders API v2", "orders"],
  [[], "GitHub v3 REST API", "github"],
  [[], "日本", "my_shop"],
  [[], "GitHub's official", "github_official"],
  [[], "", "my_shop"],
  [["http://localhost"], "API 2.0", "my_shop"],
])("%j, titled %j, is called %s", (origins, title, slug) => {
  expect(suggestSlug({ origins, title, fallback: "my-shop.yaml" })).toBe(slug)
})
