// Addresses: what was formatted parses to the same, and hostile text is refused with a reason.
import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { ConnectionAddress, ConnectionName, IntegrationSlug, ToolAddress, ToolName, reservedSlugs } from "./address.ts"
import { ExecutorError } from "./errors.ts"

const name = fc.stringMatching(/^[a-z][a-z0-9_]{0,20}$/)
const slug = name.filter((text) => !reservedSlugs.includes(text)).map(IntegrationSlug.make)
const segment = fc.stringMatching(/^[A-Za-z_$][A-Za-z0-9_$]{0,10}$/).filter((text) => text !== "then")
const ref = fc.record({
  integration: slug,
  owner: fc.constantFrom("org" as const, "user" as const),
  connection: name.map(ConnectionName.make),
  tool: fc.array(segment, { minLength: 1, maxLength: 5 }).map((segments) => ToolName.make(segments.join("."))),
})

describe("ToolAddress", () => {
  test("parse(format(x)) = x", () => {
    fc.assert(
      fc.property(ref, (one) => {
        expect(ToolAddress.parse(ToolAddress.format(one))).toEqual(one)
      }),
    )
  })

  test("the leading root may be left out", () => {
    expect(ToolAddress.make("github.org.main.issues.create")).toBe("tools.github.org.main.issues.create")
  })

  test("the tool is everything after the fourth dot", () => {
    expect(ToolAddress.parse("tools.github.org.main.aliases.deleteAlias").tool).toBe("aliases.deleteAlias")
  })

  test("reserved words of JavaScript are fine after a dot", () => {
    expect(ToolAddress.parse("tools.git.user.mine.import.delete").tool).toBe("import.delete")
  })

  test.each([
    ["", "is not tools.<integration>.<owner>.<connection>.<tool>"],
    ["x", "such as tools.github.org.main.repos.get"],
    ["tools", "is not tools.<integration>"],
    ["tools.github.org.main", "is not tools.<integration>"],
    [5 as unknown as string, "is a string such as tools.github.org.main.repos.get, not number"],
    ["tools.github.team.main.x", "'org' or 'user'"],
    ["tools.GitHub.org.main.x", "must match"],
    ["tools.tools.org.main.x", "reserved"],
    ["tools.github.org.Main.x", "must match"],
    ["tools.github.org.main.a..b", "not an ASCII identifier"],
    ["tools.github.org.main.then", "then_"],
    ["tools.github.org.main.a.then.b", "then_"],
    ["tools.github.org.main.ünder", "not an ASCII identifier"],
    ["tools.github.org.main.a b", "not an ASCII identifier"],
    ["tools.github.org.main.1st", "not an ASCII identifier"],
    ["tools.github.org.main.a\u0000", "not an ASCII identifier"],
    ["tools.github.org.main.../../etc", "not an ASCII identifier"],
    [`tools.github.org.main.${"a".repeat(300)}`, "at most 256 bytes"],
    [`tools.${"a".repeat(64)}.org.main.x`, "must match"],
  ])("refuses %j", (text, reason) => {
    expect(() => ToolAddress.make(text)).toThrow(ExecutorError)
    expect(() => ToolAddress.make(text)).toThrow(reason)
  })

  test("never throws anything but a refusal, whatever the text", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 400 }), (text) => {
        const checked = ToolAddress.check(text)
        if (checked.ok) expect(ToolAddress.parse(ToolAddress.format(checked.value))).toEqual(checked.value)
        else expect(checked.reason.length).toBeLessThan(400)
      }),
    )
  })

  test("`__proto__` and `constructor` are names like others", () => {
    expect(ToolAddress.parse("tools.x.org.main.__proto__.constructor").tool).toBe("__proto__.constructor")
  })
})

describe("ConnectionAddress", () => {
  test("parse(format(x)) = x", () => {
    fc.assert(
      fc.property(ref, ({ integration, owner, connection }) => {
        const one = { integration, owner, connection }
        expect(ConnectionAddress.parse(ConnectionAddress.format(one))).toEqual(one)
      }),
    )
  })

  test("a tool address is not one", () => {
    expect(() => ConnectionAddress.parse("tools.github.org.main.x")).toThrow("is not tools.<integration>.<owner>.<connection>")
  })
})
