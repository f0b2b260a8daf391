// Names are a contract: agents, policies and journals refer to them.
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { IntegrationSlug, ConnectionName, ToolAddress, ToolName } from "../../../core/address.ts"
import { nameOperations } from "./name.ts"
import type { NamedOperation } from "./name.ts"

const operation = (method: string, path: string, operationId: string | null = null, firstTag: string | null = null): NamedOperation => ({
  method,
  path,
  operationId,
  firstTag,
})
const nameOf = (...args: Parameters<typeof operation>): string => nameOperations([operation(...args)])[0] ?? ""

describe("names from operation ids", () => {
  it.each([
    ["repos/create-for-authenticated-user", null, "repos.createForAuthenticatedUser"],
    ["GetCustomers", null, "getCustomers"],
    ["URLList", null, "urlList"],
    ["ID", null, "id"],
    ["deleteAlias", "aliases", "aliases.deleteAlias"],
    ["deleteAlias", "Mail Aliases", "mailAliases.deleteAlias"],
    ["repos/get", "Repositories", "repos.get"],
    ["a.b#c:d/e", null, "a.b.c.d.e"],
    ["get_user_by_id", null, "getUserById"],
    ["list HTTPServers", null, "listHTTPServers"],
    ["2fa-enable", null, "_2faEnable"],
    ["then", null, "then_"],
    ["promise/then", null, "promise.then_"],
    ["delete", null, "delete"],
    ["constructor", "__proto__", "proto.constructor"],
    ["toString", null, "toString"],
    ["créerUtilisateur", null, "creerUtilisateur"],
    ["/leading//double/", null, "leading.double"],
  ])("%s (tag %s) is %s", (operationId, tag, expected) => {
    expect(nameOf("GET", "/x", operationId, tag)).toBe(expected)
  })

  it("falls back to the path where an id holds no letter that a name can have", () => {
    expect(nameOf("GET", "/users/{id}", "获取", "用户")).toBe("users.get")
    expect(nameOf("GET", "/users/{id}", "---", "x")).toBe("users.get")
  })
})

describe("names from paths", () => {
  it.each([
    ["GET", "/users/{id}/posts", "users.posts.list"],
    ["GET", "/users/{id}", "users.get"],
    ["GET", "/users/{id}/", "users.get"],
    ["GET", "/users/", "users.list"],
    ["POST", "/users", "users.create"],
    ["PUT", "/users/{id}", "users.update"],
    ["PATCH", "/users/{id}", "users.patch"],
    ["DELETE", "/users/{id}", "users.delete"],
    ["HEAD", "/users", "users.head"],
    ["OPTIONS", "/users", "users.options"],
    ["QUERY", "/users", "users.query"],
    ["COPY", "/files/{id}", "files.copy"],
    ["GET", "/", "list"],
    ["GET", "/{id}", "get"],
    ["GET", "/v1/user-groups/{id}.json", "v1.userGroups.json.get"],
    ["GET", "/2024/then", "_2024.then_.list"],
  ])("%s %s is %s", (method, path, expected) => {
    expect(nameOf(method, path)).toBe(expected)
  })
})

describe("names that collide", () => {
  it("all get the parameters of their paths", () => {
    const names = nameOperations([
      operation("GET", "/users/{id}/posts/{post_id}"),
      operation("GET", "/users/{name}/posts/{post-id}"),
      operation("GET", "/groups", "users.posts.other"),
    ])
    expect(names).toEqual(["users.posts.getByIdAndPostId", "users.posts.getByNameAndPostId", "users.posts.other"])
  })

  it("all get a hash of method and path where the parameters do not tell them apart", () => {
    const names = nameOperations([operation("GET", "/a", "fetch"), operation("GET", "/b", "fetch"), operation("GET", "/c/{id}", "fetch")])
    expect(names[0]).toMatch(/^fetch_[0-9a-f]{8}$/)
    expect(names[1]).toMatch(/^fetch_[0-9a-f]{8}$/)
    expect(names[2]).toBe("fetchById")
    expect(new Set(names).size).toBe(3)
  })

  it("are also those that only arise from the suffix", () => {
    const names = nameOperations([operation("GET", "/a", "x"), operation("GET", "/b/{id}", "x"), operation("GET", "/c", "xById")])
    expect(names[0]).toBe("x")
    expect(names[1]).toMatch(/^xById_[0-9a-f]{8}$/)
    expect(names[2]).toMatch(/^xById_[0-9a-f]{8}$/)
  })
})

const words = fc.oneof(
  fc.string({ maxLength: 12, unit: "grapheme" }),
  fc.constantFrom("then", "__proto__", "constructor", "toString", "get", "users", "2fa", "a/b", "x.y", "{id}", "URL", "…"),
)
const operations = fc.uniqueArray(
  fc.record({
    method: fc.constantFrom("GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "QUERY", "COPY"),
    path: fc.array(words, { maxLength: 40 }).map((parts) => `/${parts.join("/")}`),
    operationId: fc.option(fc.array(words, { maxLength: 30 }).map((parts) => parts.join("-"))),
    firstTag: fc.option(words),
  }),
  { selector: ({ method, path }) => `${method} ${path}`, maxLength: 30 },
)

describe("any document", () => {
  it("gives names that are valid, unique, and fit into an address of the longest slug and connection", () => {
    const slug = IntegrationSlug.make("s".repeat(63))
    const connection = ConnectionName.make("c".repeat(63))
    fc.assert(
      fc.property(operations, (list) => {
        const names = nameOperations(list)
        expect(new Set(names).size).toBe(list.length)
        for (const name of names) {
          expect(ToolName.check(name)).toEqual({ ok: true, value: name })
          const address = ToolAddress.format({ integration: slug, owner: "user", connection, tool: name })
          expect(Buffer.byteLength(address)).toBeLessThanOrEqual(256)
          expect(ToolAddress.parse(address).tool).toBe(name)
        }
      }),
    )
  })

  it("gives the same names in any order", () => {
    fc.assert(
      fc.property(
        operations.chain((list) => fc.tuple(fc.constant(list), fc.shuffledSubarray(list, { minLength: list.length }))),
        ([list, shuffled]) => {
          const byIdentity = (ordered: readonly NamedOperation[]): Map<string, string> => {
            const names = nameOperations(ordered)
            return new Map(ordered.map(({ method, path }, index) => [`${method} ${path}`, names[index] ?? ""]))
          }
          const other = byIdentity(shuffled)
          for (const [identity, name] of byIdentity(list)) expect(other.get(identity)).toBe(name)
        },
      ),
    )
  })
})
