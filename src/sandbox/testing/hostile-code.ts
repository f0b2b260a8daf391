// Code that tries to exhaust shared resources, and how each attempt must end.
//
// Add a row for every new idea: the isolation test runs them all beside well-behaved executions.

/** `returned`: it is bounded and simply ends. Several codes: which limit is met first depends on the machine. */
export type HostileEnd = "returned" | "thrown" | "syntax" | "timeout" | "cpu_limit" | "memory_limit" | "output_limit"

export type HostileCode = { readonly name: string; readonly code: string; readonly ends: readonly HostileEnd[] }

const loops: readonly HostileCode[] = [
  { name: "an endless loop", code: "while (true) {}", ends: ["cpu_limit"] },
  { name: "an endless loop with a call in flight", code: "tools.slow({}); while (true) {}", ends: ["cpu_limit"] },
  { name: "an endless loop after a call", code: "await tools.quick({}); for (;;) {}", ends: ["cpu_limit"] },
  {
    name: "an endless loop that catches everything",
    code: "for (;;) { try { for (;;) {} } catch {} finally { continue } }",
    ends: ["cpu_limit"],
  },
  { name: "an endless loop in a getter of the result", code: "return { get a() { for (;;) {} } }", ends: ["cpu_limit"] },
  { name: "an endless loop in toJSON of arguments", code: "await tools.quick({ toJSON() { for (;;) {} } })", ends: ["cpu_limit"] },
  {
    name: "an endless loop in the message of an error",
    code: "throw Object.defineProperty(new Error(), 'message', { get() { for (;;) {} } })",
    ends: ["cpu_limit"],
  },
  { name: "an endless loop in a timer", code: "setTimeout(() => { for (;;) {} }, 1); await new Promise(() => {})", ends: ["cpu_limit"] },
  {
    name: "a microtask storm",
    code: "const again = () => Promise.resolve().then(again); await again()",
    ends: ["cpu_limit", "memory_limit"],
  },
  {
    name: "a storm of queueMicrotask",
    code: "const again = () => queueMicrotask(again); again(); await new Promise(() => {})",
    ends: ["cpu_limit"],
  },
  {
    name: "a thenable that resolves to itself",
    code: "const t = { then(resolve) { resolve(t) } }; await t",
    ends: ["cpu_limit", "memory_limit"],
  },
  { name: "an endless generator", code: "function* g() { for (;;) yield 1 } return [...g()].length", ends: ["cpu_limit", "memory_limit"] },
  { name: "a catastrophic regex", code: "return /^(a+)+$/.test('a'.repeat(40) + 'b')", ends: ["cpu_limit", "returned"] },
  {
    name: "a catastrophic replace",
    code: "return 'a'.repeat(50000).replace(/(.*)*x/g, '')",
    ends: ["cpu_limit", "returned", "thrown", "memory_limit"],
  },
  { name: "a huge BigInt", code: "let n = 3n; for (;;) n = n * n", ends: ["cpu_limit", "memory_limit", "thrown"] },
  {
    name: "an endless loop in a rejection that nobody handled",
    code: "Promise.reject(Object.defineProperty(new Error(), 'message', { get() { for (;;) {} } })); return 1",
    ends: ["cpu_limit"],
  },
  {
    name: "calls that go on behind the end",
    code: "const again = () => tools.quick({}).then(again); again(); return 1",
    ends: ["returned"],
  },
  {
    name: "formatters without end",
    code: "for (let i = 0; ; i++) new Intl.DateTimeFormat('en', { timeZone: ['UTC', 'Asia/Tokyo'][i % 2], fractionalSecondDigits: 1 + (i % 3), era: 'long', x: i }).format(i)",
    ends: ["cpu_limit"],
  },
  { name: "calls without end", code: "for (;;) tools.quick({})", ends: ["cpu_limit", "memory_limit"] },
  { name: "timers without end", code: "for (;;) setTimeout(() => {}, 1e9)", ends: ["cpu_limit", "memory_limit"] },
  {
    name: "a result without end",
    code: "const deep = () => new Proxy({}, { ownKeys: () => ['a', 'b'], getOwnPropertyDescriptor: () => ({ enumerable: true, configurable: true }), get: (t, k) => k === 'toJSON' || k === 'then' ? undefined : deep() }); return deep()",
    ends: ["cpu_limit", "memory_limit", "output_limit"],
  },
  {
    name: "an array that says it is huge",
    code: "return [new Proxy([], { get: (t, k) => (k === 'length' ? 4294967295 : 1) })]",
    ends: ["output_limit", "cpu_limit", "memory_limit"],
  },
]

const builtins: readonly HostileCode[] = [
  { name: "a join of half a billion holes", code: "return new Array(5e8).join()", ends: ["cpu_limit", "memory_limit", "thrown"] },
  { name: "a join without a separator", code: "return new Array(4e9).join('')", ends: ["cpu_limit", "memory_limit"] },
  {
    name: "a large normalize",
    code: "return 'a\\u0301'.repeat(1.2e7).normalize('NFC').length",
    ends: ["returned", "cpu_limit", "memory_limit"],
  },
  { name: "a normalize of 100 MB", code: "return 'x'.repeat(1e8).normalize('NFD').length", ends: ["memory_limit"] },
  { name: "a normalize that grows", code: "return 'ﷺ'.repeat(3e6).normalize('NFKD').length", ends: ["memory_limit"] },
  { name: "a fill of four billion", code: "return new Array(4294967295).fill(1).length", ends: ["cpu_limit", "memory_limit"] },
  {
    name: "an indexOf in four billion holes",
    code: "const a = []; a.length = 4294967295; return a.indexOf(1)",
    ends: ["cpu_limit", "returned"],
  },
  {
    name: "an endless sort",
    code: "return new Array(3e6).fill(0).map((_, i) => -i).sort((a, b) => a - b).length",
    ends: ["cpu_limit", "memory_limit", "returned"],
  },
  { name: "a repeat that is too long", code: "return 'x'.repeat(2 ** 30)", ends: ["memory_limit", "thrown"] },
  { name: "padding that is too long", code: "return 'x'.padEnd(2 ** 29)", ends: ["memory_limit", "thrown"] },
  { name: "a large digest", code: "const b = new Uint8Array(1e7); for (;;) await crypto.subtle.digest('SHA-512', b)", ends: ["cpu_limit"] },
]

const memory: readonly HostileCode[] = [
  { name: "a memory bomb of arrays", code: "const a = []; for (;;) a.push(new Array(1000).fill(1))", ends: ["memory_limit"] },
  { name: "a memory bomb of objects", code: "const a = []; for (;;) a.push({ a: { b: {} } })", ends: ["memory_limit"] },
  { name: "a memory bomb of text", code: "let s = 'x'; for (;;) s += s", ends: ["memory_limit"] },
  { name: "a memory bomb of ropes", code: "const a = []; for (let i = 0; ; i++) a.push('x'.repeat(1000) + i)", ends: ["memory_limit"] },
  { name: "a memory bomb of buffers", code: "const a = []; for (;;) a.push(new ArrayBuffer(1 << 20))", ends: ["memory_limit", "thrown"] },
  { name: "a memory bomb of typed arrays", code: "const a = []; for (;;) a.push(new Float64Array(1e5))", ends: ["memory_limit", "thrown"] },
  { name: "a memory bomb of maps", code: "const m = new Map(); for (let i = 0; ; i++) m.set(i, { i })", ends: ["memory_limit"] },
  { name: "a memory bomb of closures", code: "const a = []; for (let i = 0; ; i++) a.push(() => i)", ends: ["memory_limit"] },
  { name: "a memory bomb of symbols", code: "const o = {}; for (let i = 0; ; i++) o[Symbol(i)] = i", ends: ["memory_limit"] },
  { name: "a memory bomb of promises", code: "const a = []; for (;;) a.push(new Promise(() => {}))", ends: ["memory_limit"] },
  {
    name: "a memory bomb of functions from text",
    code: "const a = []; for (let i = 0; ; i++) a.push(new Function('return ' + i))",
    ends: ["memory_limit", "cpu_limit"],
  },
  {
    name: "a memory bomb of arguments",
    code: "await Promise.all(Array.from({ length: 900 }, (_, i) => tools.quick({ i, x: 'x'.repeat(1e6) })))",
    ends: ["memory_limit"],
  },
  {
    name: "a memory bomb that catches everything",
    code: "const a = []; for (;;) try { for (;;) a.push(new Array(1000).fill(1)) } catch {}",
    ends: ["cpu_limit", "memory_limit"],
  },
  {
    name: "a result larger than its limit",
    code: "return Array.from({ length: 2e5 }, (_, i) => 'x'.repeat(100) + i)",
    ends: ["output_limit", "memory_limit"],
  },
  { name: "an emit without end", code: "for (;;) emit('x'.repeat(1000))", ends: ["cpu_limit"] },
  { name: "an emit of large values without end", code: "const x = 'x'.repeat(5e6); for (;;) emit(x)", ends: ["cpu_limit", "memory_limit"] },
  { name: "a million log lines", code: "for (let i = 0; i < 1e6; i++) console.log('line', i); return 1", ends: ["returned", "cpu_limit"] },
  { name: "a log line without end", code: "console.log('x'.repeat(2e7)); return 1", ends: ["returned"] },
]

const recursion: readonly HostileCode[] = [
  ["a function", "const f = () => f(); f()"],
  ["two functions", "function a() { b() } function b() { a() } a()"],
  ["a getter", "const o = { get x() { return this.x } }; o.x"],
  ["a constructor", "class A { constructor() { new A() } } new A()"],
  ["toString", "const o = { toString() { return '' + this } }; '' + o"],
  ["toJSON", "const o = { toJSON() { return JSON.stringify(o) } }; JSON.stringify(o)"],
  ["a proxy", "const p = new Proxy({}, { get(t, k, r) { return r[k] } }); p.x"],
  ["a chain of proxies", "let p = {}; for (let i = 0; i < 1e5; i++) p = new Proxy(p, {}); p.x"],
  ["a comparator", "const f = () => [3, 2, 1].sort(f); f()"],
  ["a replacer", "const f = () => 'a'.replace(/a/, f); f()"],
  ["a generator", "function* g() { yield* g() } [...g()]"],
  ["an async function", "const f = async () => { await f() }; await f()"],
  ["bind upon bind", "let f = () => 1; for (let i = 0; i < 1e5; i++) f = f.bind(null); f()"],
  ["apply", "function f() { f.apply(this, arguments) } f(1)"],
  ["Reflect.construct", "function F() { Reflect.construct(F, []) } new F()"],
  ["a tagged template", "const f = () => f`x`; f()"],
  ["an iterator", "const o = { [Symbol.iterator]() { return [...o] } }; [...o]"],
  ["eval", "const f = () => eval('f()'); f()"],
  ["flat of nested arrays", "let a = []; for (let i = 0; i < 1e5; i++) a = [a]; a.flat(Infinity)"],
  ["parsing nested JSON", "JSON.parse('['.repeat(1e6))"],
  ["printing nested arrays", "let a = []; for (let i = 0; i < 1e5; i++) a = [a]; JSON.stringify(a)"],
  ["text of nested arrays", "let a = []; for (let i = 0; i < 1e5; i++) a = [a]; String(a)"],
  ["cloning nested arrays", "let a = []; for (let i = 0; i < 1e5; i++) a = [a]; structuredClone(a)"],
  ["a regex of nested groups", "new RegExp('('.repeat(1e5) + ')'.repeat(1e5))"],
  ["a long alternation", "/(?:a|b)*c/.test('ab'.repeat(1e6))"],
  ["instanceof", "class A { static [Symbol.hasInstance](x) { return x instanceof A } } ({}) instanceof A"],
  ["a prototype chain", "let o = {}; for (let i = 0; i < 1e6; i++) o = Object.create(o); o.x"],
].map(([name, code]) => ({
  name: `recursion through ${name}`,
  code: code ?? "",
  ends: ["thrown", "returned", "cpu_limit", "memory_limit"],
}))

const source: readonly HostileCode[] = [
  { name: "nested parentheses", code: "(".repeat(200_000), ends: ["syntax"] },
  { name: "nested braces", code: "{".repeat(200_000), ends: ["syntax"] },
  {
    name: "nested arrays that are closed",
    code: `return ${"[".repeat(50_000)}${"]".repeat(50_000)}`,
    ends: ["syntax", "thrown", "returned"],
  },
  { name: "nested functions", code: `return ${"()=>".repeat(50_000)}1`, ends: ["syntax", "returned", "thrown"] },
  { name: "nested type arguments", code: `let a: ${"A<".repeat(50_000)}`, ends: ["syntax"] },
  { name: "nested conditions", code: "a?(b):".repeat(30_000), ends: ["syntax"] },
  { name: "arrow functions that might be types", code: "(a?(b):(".repeat(3_000), ends: ["syntax", "cpu_limit"] },
  { name: "nested conditions without parentheses", code: `return ${"a?".repeat(60_000)}`, ends: ["syntax"] },
  { name: "nested arrays behind a regular expression", code: `/x/;${"[".repeat(120_000)}`, ends: ["syntax"] },
  { name: "nested templates", code: "`${".repeat(60_000), ends: ["syntax"] },
  { name: "a long chain of operators", code: `return ${"1+".repeat(100_000)}1`, ends: ["returned", "syntax"] },
  { name: "a long line of comments", code: `${"/**/".repeat(60_000)}return 1`, ends: ["returned"] },
  { name: "a name without end that is declared twice", code: `let ${"a".repeat(120_000)}=1;let b;let b`, ends: ["syntax"] },
  { name: "patterns without end", code: `const {}=null${",{}=1".repeat(50_000)}`, ends: ["thrown"] },
  {
    name: "functions without end",
    code: `${Array.from({ length: 5_000 }, (_, i) => `function f${i}() {}\nf${i}()\n`).join("")}if (true) {\n}`,
    ends: ["returned"],
  },
  { name: "blanks", code: `${" ".repeat(200_000)}return 1`, ends: ["returned"] },
  { name: "semicolons and comments at the end", code: `1${";//".repeat(60_000)}`, ends: ["returned", "syntax"] },
  { name: "a fence that never ends", code: `\`\`\`js\n${"`".repeat(100_000)}`, ends: ["syntax", "returned"] },
  { name: "a fence of backticks and something else", code: `\`\`\`js\n${"`".repeat(200_000)}x`, ends: ["syntax", "returned"] },
  { name: "semicolons and something else", code: `a${";".repeat(200_000)}x`, ends: ["thrown", "syntax"] },
  { name: "lines of comments at the end", code: `1\n${"//\n".repeat(80_000)}`, ends: ["returned"] },
  { name: "empty lines", code: `${"\n".repeat(200_000)}import x from "y"`, ends: ["syntax"] },
  { name: "blanks before what might be types", code: `a${" ".repeat(100_000)}b${" ".repeat(100_000)}> (`, ends: ["syntax"] },
  { name: "exports that are none", code: "export ".repeat(30_000), ends: ["syntax"] },
  { name: "a path without end", code: "return (await tools['x'.repeat(5e6)]({})).ok", ends: ["returned"] },
  { name: "bytes that are no text", code: "\u0000\u0001\ud800return 1", ends: ["syntax", "returned"] },
]

const waiting: readonly HostileCode[] = [
  { name: "a call that nobody waits for and is never answered", code: "tools.never({}); return 1", ends: ["timeout"] },
  { name: "a promise that never settles", code: "return new Promise(() => {})", ends: ["thrown"] },
  {
    name: "a thousand timers that never fire",
    code: "for (let i = 0; i < 1000; i++) setTimeout(() => {}, 1e8); await new Promise(() => {})",
    ends: ["timeout"],
  },
  { name: "an interval that never ends", code: "setInterval(() => {}, 0); await new Promise(() => {})", ends: ["timeout"] },
  { name: "a call that is never answered", code: "await tools.never({})", ends: ["timeout"] },
  { name: "memory held while it waits", code: "const a = new Uint8Array(1e7).fill(1); await tools.never({}); return a", ends: ["timeout"] },
]

const pollution: readonly HostileCode[] = [
  ["Object.prototype", "Object.prototype.toJSON = () => 'evil'; Object.prototype.then = 1; Object.prototype.code = 'x'; return { a: [1] }"],
  [
    "Array.prototype",
    "for (const name of Object.getOwnPropertyNames(Array.prototype)) try { Array.prototype[name] = null } catch {} return [1]",
  ],
  ["Promise.prototype", "Promise.prototype.then = () => { throw new Error('evil') }; await tools.quick({}); return 1"],
  [
    "Map.prototype",
    "for (const name of ['get', 'set', 'has', 'delete']) Map.prototype[name] = () => { throw new Error('evil') }; return 1",
  ],
  ["JSON", "JSON.stringify = JSON.parse = () => { throw new Error('evil') }; return { a: 1 }"],
  [
    "String.prototype",
    "for (const name of Object.getOwnPropertyNames(String.prototype)) try { String.prototype[name] = () => ({}) } catch {} throw new Error('x')",
  ],
  ["every global", "for (const name of Object.getOwnPropertyNames(globalThis)) try { globalThis[name] = undefined } catch {} return 1"],
  [
    "Symbol.hasInstance",
    "Object.defineProperty(Error, Symbol.hasInstance, { value: () => { throw new Error('evil') } }); throw new Error('x')",
  ],
  ["Error.prepareStackTrace", "Error.prepareStackTrace = () => { throw new Error('evil') }; null.x"],
].map(([name, code]) => ({ name: `pollution of ${name}`, code: code ?? "", ends: ["returned", "thrown"] }))

export const hostileCode: readonly HostileCode[] = [...loops, ...builtins, ...memory, ...recursion, ...source, ...waiting, ...pollution]
