// Tests the identity of calls.
import { describe, expect, test } from "vitest"
import { callHash, canonicalText, createCallCounter } from "./call-key.ts"

describe("call keys", () => {
  test("canonical text does not depend on the order of fields", () => {
    expect(canonicalText('{"b":[1,{"d":1,"c":2}],"a":null}')).toBe('{"a":null,"b":[1,{"c":2,"d":1}]}')
    expect(canonicalText('{"__proto__":1,"a":2}')).toBe('{"__proto__":1,"a":2}')
  })

  test("the order of items counts", () => {
    expect(canonicalText("[2,1]")).not.toBe(canonicalText("[1,2]"))
  })

  test("text that is too deep, or none, is taken as it stands", () => {
    const deep = `${'{"b":'.repeat(1000)}1${"}".repeat(1000)}`
    const deepPair = `[${deep},{"b":1,"a":2}]`
    expect(canonicalText(deepPair)).toBe(deepPair)
    expect(canonicalText('{"a":1,')).toBe('{"a":1,')
  })

  test("kind, path and arguments cannot run into each other", () => {
    const hashes = [
      callHash("tool", "a", '{"b":1}'),
      callHash("store", "a", '{"b":1}'),
      callHash("tool", 'a"\n{"b":1}', ""),
      callHash("tool", "a\n", '{"b":1}'),
      callHash("tool", "a", '{"b":2}'),
    ]
    expect(new Set(hashes).size).toBe(hashes.length)
  })

  test("equal calls are counted", () => {
    const counter = createCallCounter()
    const keys = [
      counter.keyOf("tool", "a", '{"x":1,"y":2}'),
      counter.keyOf("tool", "b", "{}"),
      counter.keyOf("tool", "a", '{"y":2,"x":1}'),
    ]
    expect(keys.map((key) => key.split(":")[1])).toEqual(["0", "0", "1"])
    expect(keys[0]?.split(":")[0]).toBe(keys[2]?.split(":")[0])
  })
})
