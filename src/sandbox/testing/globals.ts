// The globals that people expect, and those that are not there.
import { createHash } from "node:crypto"
import { describe, expect, test } from "vitest"
import type { Sandbox } from "../sandbox.ts"
import { resultOf, runWith } from "./host.ts"

const working: readonly (readonly [name: string, code: string, result: unknown])[] = [
  ["atob and btoa", "return [btoa('hello'), atob('aGVsbG8=')]", ["aGVsbG8=", "hello"]],
  ["queueMicrotask", "const seen = []; queueMicrotask(() => seen.push(1)); seen.push(0); await null; return seen", [0, 1]],
  [
    "structuredClone of a cycle",
    "const a = { d: new Date(0), m: new Map([[1, new Set([2])]]), u: new Uint8Array([3]) }; a.self = a; const b = structuredClone(a); return [b !== a, b.self === b, b.d.getTime(), [...b.m.get(1)], [...b.u]]",
    [true, true, 0, [2], [3]],
  ],
  [
    "structuredClone of an error",
    "const e = structuredClone(new RangeError('r', { cause: 1 })); return [e instanceof RangeError, e.message, e.cause]",
    [true, "r", 1],
  ],
  [
    "structuredClone of a function",
    "try { structuredClone({ f() {} }) } catch (e) { return [e.name, e instanceof DOMException] }",
    ["DataCloneError", true],
  ],
  [
    "URL parts",
    "const u = new URL('../b?x=1#h', 'https://u:p@ex.org:8443/a/c'); return [u.href, u.origin, u.host, u.port, u.pathname, u.search, u.hash, u.username, u.password, u.protocol, String(u), JSON.stringify(u)]",
    [
      "https://u:p@ex.org:8443/b?x=1#h",
      "https://ex.org:8443",
      "ex.org:8443",
      "8443",
      "/b",
      "?x=1",
      "#h",
      "u",
      "p",
      "https:",
      "https://u:p@ex.org:8443/b?x=1#h",
      '"https://u:p@ex.org:8443/b?x=1#h"',
    ],
  ],
  [
    "URL setters and its parameters",
    "const u = new URL('http://a.b/c?x=1'); u.searchParams.append('y', 'a b&c'); u.pathname = '/d e'; u.port = '81'; const before = u.href; u.search = '?z=9'; return [before, u.searchParams.get('z'), u.searchParams.get('x')]",
    ["http://a.b:81/d%20e?x=1&y=a+b%26c", "9", null],
  ],
  [
    "URL that is none",
    "try { new URL('nope') } catch (e) { return [e.name, e.message, URL.canParse('nope'), URL.canParse('http://x')] }",
    ["TypeError", "Invalid URL", false, true],
  ],
  [
    "errors of the host that are those of the guest",
    "const seen = []; for (const attempt of [() => new URL('x'), () => { new URL('http://x').href = '::' }, () => new TextDecoder('zz'), () => new TextDecoder('utf-8', { fatal: true }).decode(new Uint8Array([255])), () => crypto.subtle.digest('MD5', new Uint8Array(1))]) try { await attempt() } catch (e) { seen.push([TypeError, RangeError, DOMException].map((kind) => Number(e instanceof kind)).join('') + e.name + /code\\.ts:1/.test(e.stack)) } return seen",
    ["100TypeErrortrue", "100TypeErrortrue", "010RangeErrortrue", "100TypeErrortrue", "001NotSupportedErrortrue"],
  ],
  [
    "normalize and localeCompare",
    "return ['\\u0041\\u030a'.normalize().length, 'a'.localeCompare('b'), String.prototype.normalize.name, Object.keys(String.prototype)]",
    [1, -1, "normalize", []],
  ],
  [
    "memory that ran out inside normalize, as an error that can be caught",
    "try { '\ufdfa'.repeat(1.5e6).normalize('NFKD') } catch (e) { return [e instanceof Error, String(e)] }",
    [true, "InternalError: out of memory"],
  ],
  ["URL of another alphabet", "return new URL('https://žluťoučký.cz/ž?q=ž').href", new URL("https://žluťoučký.cz/ž?q=ž").href],
  [
    "URLSearchParams",
    "const p = new URLSearchParams('?a=1&b=2&a=3&c'); p.delete('b'); p.set('a', '4'); p.append('d', 'ž~!'); p.sort(); return [p.toString(), p.getAll('a'), p.has('c'), p.get('nope'), p.size, [...p.keys()]]",
    ["a=4&c=&d=%C5%BE%7E%21", ["4"], true, null, 3, ["a", "c", "d"]],
  ],
  [
    "URLSearchParams from an object and pairs",
    "return [String(new URLSearchParams({ a: 1, b: 'x y' })), String(new URLSearchParams([['k', 'v'], ['k', 'w']])), new URLSearchParams('a=%zz&b=%C5%BE&c=1+2').get('b'), new URLSearchParams('a=%zz').get('a')]",
    ["a=1&b=x+y", "k=v&k=w", "ž", "%zz"],
  ],
  [
    "TextEncoder and TextDecoder",
    "const bytes = new TextEncoder().encode('ž🐎'); return [[...bytes], new TextDecoder().decode(bytes), new TextDecoder('utf-16le').decode(new Uint8Array([65, 0])), new TextDecoder().decode(new Uint8Array([255]))]",
    [[197, 190, 240, 159, 144, 142], "ž🐎", "A", "\ufffd"],
  ],
  [
    "TextDecoder in pieces",
    "const d = new TextDecoder(); const b = new TextEncoder().encode('a🐎b'); return d.decode(b.subarray(0, 3), { stream: true }) + d.decode(b.subarray(3))",
    "a🐎b",
  ],
  [
    "TextDecoder that is strict",
    "try { new TextDecoder('utf-8', { fatal: true }).decode(new Uint8Array([255])) } catch (e) { return e.name }",
    "TypeError",
  ],
  [
    "TextEncoder into a place",
    "const t = new Uint8Array(4); return [new TextEncoder().encodeInto('až🐎', t), [...t]]",
    [{ read: 2, written: 3 }, [97, 197, 190, 0]],
  ],
  [
    "AbortController",
    "const c = new AbortController(); const seen = []; c.signal.addEventListener('abort', (e) => seen.push(e.type)); c.signal.onabort = () => seen.push('on'); c.abort(); c.abort(); try { c.signal.throwIfAborted() } catch (e) { seen.push(e.name) } return [seen, c.signal.aborted]",
    [["on", "abort", "AbortError"], true],
  ],
  [
    "AbortSignal",
    "const any = AbortSignal.any([AbortSignal.abort('why'), new AbortController().signal]); const t = AbortSignal.timeout(5); await new Promise((r) => setTimeout(r, 10)); return [any.reason, t.aborted, t.reason.name]",
    ["why", true, "TimeoutError"],
  ],
  [
    "Headers",
    "const h = new Headers([['Content-Type', 'a'], ['x', '1']]); h.append('X', ' 2 '); h.set('content-type', 'b'); return [[...h], h.get('X'), h.has('nope')]",
    [
      [
        ["content-type", "b"],
        ["x", "1, 2"],
      ],
      "1, 2",
      false,
    ],
  ],
  ["Headers with a bad name", "try { new Headers({ 'a b': '1' }) } catch (e) { return e.name }", "TypeError"],
  ["randomUUID", "return /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/.test(crypto.randomUUID())", true],
  ["getRandomValues", "const a = crypto.getRandomValues(new Uint32Array(4)); return [a.length, new Set(a).size]", [4, 4]],
  ["getRandomValues of too much", "try { crypto.getRandomValues(new Uint8Array(65537)) } catch (e) { return e.name }", "RangeError"],
  ["an unknown digest", "try { await crypto.subtle.digest('MD5', new Uint8Array(1)) } catch (e) { return e.name }", "NotSupportedError"],
  [
    "what must not be there",
    "return ['process', 'Buffer', 'global', 'WeakRef', 'FinalizationRegistry', 'SharedArrayBuffer', 'Atomics', 'WebAssembly', 'window', 'self', 'kit', 'bridge'].filter((name) => name in globalThis)",
    [],
  ],
  [
    "DOMException, made by the code and by the engine",
    "let engine; try { atob('%') } catch (e) { engine = e } const made = new DOMException('m', 'AbortError'); return [engine, made].map((e) => [e instanceof DOMException, e instanceof Error, e.name, Object.prototype.toString.call(e)])",
    [
      [true, true, "InvalidCharacterError", "[object DOMException]"],
      [true, true, "AbortError", "[object DOMException]"],
    ],
  ],
  ["what is not enumerable", "return Object.keys(globalThis)", []],
]

export function testGlobals(use: () => Sandbox): void {
  describe("globals", () => {
    for (const [name, code, result] of working) {
      test(name, async () => {
        expect(resultOf(await runWith(use(), code))).toEqual(result)
      })
    }

    test("digests as the host does", async () => {
      const code =
        "const hex = (b) => [...new Uint8Array(b)].map((x) => x.toString(16).padStart(2, '0')).join(''); return Promise.all(['SHA-1', 'SHA-256', { name: 'sha-384' }, 'SHA-512'].map(async (a) => hex(await crypto.subtle.digest(a, new TextEncoder().encode('abc')))))"
      const expected = ["sha1", "sha256", "sha384", "sha512"].map((algorithm) => createHash(algorithm).update("abc").digest("hex"))
      expect(resultOf(await runWith(use(), code))).toEqual(expected)
    })
  })
}
