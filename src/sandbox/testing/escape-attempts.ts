// Attempts to escape the sandbox, or to read what another execution left; none may succeed.
//
// Each is code that returns what it reached. An attempt that gets nowhere returns or throws something harmless; one that
// succeeds returns the text `ESCAPED` or anything in `traces`. To add one, add a line.

export type EscapeAttempt = { readonly name: string; readonly code: string }

/** Text that only the host has: paths, its modules, its globals, the secrets that the test plants around the sandbox. */
export const traces: readonly RegExp[] = [
  /ESCAPED/,
  /node_modules|node:internal|file:\/\/|worker_threads|\/src\/|\.ts:\d+.*worker/,
  /wasm:\/\/|WebAssembly|linear memory/i,
  /planted-secret/,
]

const reachable = (expression: string): string => `
  const found = ${expression}
  const names = ['process', 'require', 'module', 'Buffer', 'global', 'WebAssembly', 'SharedArrayBuffer', 'Atomics']
  const host = names.filter((name) => { try { return typeof found[name] !== 'undefined' && name !== 'require' } catch { return false } })
  return host.length ? 'ESCAPED ' + host : 'contained'`

const walls: readonly (readonly [string, string])[] = [
  ["the constructor of a function", reachable("(() => {}).constructor('return globalThis')()")],
  ["the constructor of an async function", reachable("await (async () => {}).constructor('return globalThis')()")],
  ["the constructor of a generator", reachable("(function* () {}).constructor('return globalThis')().next().value")],
  ["the constructor of tools", reachable("tools.constructor.constructor ? globalThis : globalThis")],
  ["the constructor of a call's promise", reachable("tools.t({}).constructor.constructor('return this')()")],
  ["the constructor of an answer", reachable("(await tools.t({})).constructor.constructor('return this')()")],
  [
    "the constructor of an error of the host",
    reachable("await tools.missing({}).unwrap().catch((e) => e.constructor.constructor.constructor('return this')())"),
  ],
  ["the constructor of unwrap", reachable("tools.t({}).unwrap.constructor('return this')()")],
  ["the constructor of console.log", reachable("console.log.constructor('return this')()")],
  ["the constructor of bytes from the host", reachable("new TextEncoder().encode('x').constructor.constructor('return this')()")],
  ["eval", reachable("(0, eval)('this')")],
  ["a sloppy this", reachable("(function () { return this })()")],
  ["new.target", reachable("new (function () { return { found: new.target.constructor('return this')() } })().found")],
  ["setTimeout with text", "try { setTimeout('globalThis.x = 1', 1) } catch (e) { return e.name }"],
]

const leaks: readonly (readonly [string, string])[] = [
  [
    "the stack of a host error",
    "try { new URL('::') } catch (e) { return [e.stack, Object.getOwnPropertyNames(e).map((k) => String(e[k]))] }",
  ],
  [
    "the stack of a codec error",
    "try { new TextDecoder('utf-8', { fatal: true }).decode(new Uint8Array([255])) } catch (e) { return e.stack }",
  ],
  ["the stack of an import", "return import('node:fs').catch((e) => e.stack + e.message)"],
  ["an import by path", "return import('/etc/passwd').catch((e) => e.message)"],
  ["an import with an attribute", "return import('x', { with: { type: 'json' } }).catch((e) => e.message)"],
  ["the stack of a refused call", "return tools.missing({}).unwrap().catch((e) => [e.stack, JSON.stringify(e)])"],
  [
    "a stack overflow under a host function",
    "let deep = ''; const f = () => { try { f() } catch (e) { try { new URL('x') } catch (e2) { deep = e2.stack } } }; f(); return deep",
  ],
  [
    "structured stacks",
    "Error.prepareStackTrace = (e, frames) => frames.map((f) => [f.getFileName?.(), f.getFunctionName?.(), String(f.getThis?.()), String(f.getFunction?.())]); return new Error('x').stack",
  ],
  [
    "structured stacks under the prelude",
    "Error.prepareStackTrace = (e, frames) => frames.map((f) => String(f.getFunction?.() ?? f.getFileName?.())); return [1].map(() => new Error('x').stack)",
  ],
  ["captureStackTrace", "const o = {}; Error.captureStackTrace(o); return o.stack"],
  ["the source of the prelude", "return [tools.t, console.log, setTimeout, fetch, URL].map((f) => Function.prototype.toString.call(f))"],
  ["the source of natives", "return [Math.random, Date.now, JSON.parse].map(String)"],
  ["arguments.callee.caller", "function f() { return String(f.caller) } return f()"],
  [
    "a patched call",
    "const seen = []; const call = Function.prototype.call; Function.prototype.call = function (...a) { seen.push(String(this)); return call.apply(this, a) }; console.log('x'); new URL('http://a'); Function.prototype.call = call; return seen",
  ],
  [
    "a patched apply",
    "const seen = []; Function.prototype.apply = function (...a) { seen.push(typeof this, a.map(String)); }; try { setTimeout(() => {}, 1) } catch {} return seen",
  ],
  [
    "a patched Map",
    "const seen = []; const set = Map.prototype.set; Map.prototype.set = function (k, v) { seen.push(Object.keys(v ?? {})); return set.call(this, k, v) }; tools.t({}); Map.prototype.set = set; return seen",
  ],
  [
    "a patched Proxy handler",
    "const seen = []; const get = Reflect.get; Object.defineProperty(Object.prototype, 'getOwnPropertyDescriptor', { get() { seen.push('trap'); return undefined }, configurable: true }); Object.keys(tools); delete Object.prototype.getOwnPropertyDescriptor; return seen",
  ],
  [
    "a setter on Object.prototype",
    "const seen = []; Object.defineProperty(Object.prototype, 'path', { set(v) { seen.push(typeof this.bridge, typeof this.limits) }, configurable: true }); try { tools.a.b } catch {} delete Object.prototype.path; return seen",
  ],
  [
    "a getter for the bridge",
    "const seen = []; Object.defineProperty(Object.prototype, 'bridge', { get() { seen.push('asked'); return undefined }, configurable: true }); console.log('x'); delete Object.prototype.bridge; return seen",
  ],
  ["a thenable answer", "return await Promise.resolve({ then(resolve) { resolve(String(resolve)) } })"],
  [
    "a hostile Symbol.species",
    "class P extends Promise { static get [Symbol.species]() { return function (executor) { executor((v) => v, (e) => e); return { leaked: String(executor) } } } } return String(new P(() => {}).then(() => {}).leaked)",
  ],
  [
    "a proxy as arguments",
    "const seen = []; await tools.t(new Proxy({}, { get: (t, k) => { seen.push(String(k)); return undefined }, ownKeys: () => ['a'], getOwnPropertyDescriptor: () => ({ enumerable: true, configurable: true, value: 1 }) })); return seen",
  ],
  ["names of the global object", "return Reflect.ownKeys(globalThis).map(String)"],
  [
    "everything reachable",
    "const seen = new Set(); const walk = (v, d) => { if ((typeof v !== 'object' && typeof v !== 'function') || v === null || seen.has(v) || d > 6 || v === tools) return; seen.add(v); for (const k of Reflect.ownKeys(v)) { let x; try { x = v[k] } catch { continue } if (typeof x === 'string' && /node_modules|file:|planted/.test(x)) throw new Error('ESCAPED ' + x); walk(x, d + 1) } try { walk(Object.getPrototypeOf(v), d + 1) } catch {} }; walk(globalThis, 0); return seen.size > 300",
  ],
]

const forgery: readonly (readonly [string, string])[] = [
  [
    "bytecode",
    "return typeof Uint8Array.prototype.evaluate + typeof globalThis.std + typeof globalThis.os + typeof globalThis.bjson + typeof globalThis.scriptArgs",
  ],
  [
    "a detached buffer",
    "const b = new ArrayBuffer(16); const v = new Uint8Array(b); try { structuredClone(b, { transfer: [b] }); b.transfer?.() } catch {} return [v.length, v[0] === undefined || v[0] === 0]",
  ],
  [
    "a resized buffer under a digest",
    "const b = new ArrayBuffer(1024, { maxByteLength: 4096 }); const v = new Uint8Array(b); b.resize(0); return (await crypto.subtle.digest('SHA-256', v)).byteLength",
  ],
  [
    "a view out of bounds",
    "const b = new ArrayBuffer(4096, { maxByteLength: 8192 }); const v = new Uint8Array(b, 2048, 2048); b.resize(1024); return new TextDecoder().decode(v).length",
  ],
  [
    "an array whose length lies",
    "const a = new Uint8Array(8); Object.defineProperty(a, 'length', { value: 1e6 }); return [(await crypto.subtle.digest('SHA-1', a)).byteLength, new TextDecoder().decode(a).length]",
  ],
  [
    "random bytes into a stranger",
    "try { crypto.getRandomValues({ byteLength: 8, buffer: new ArrayBuffer(8), byteOffset: 0 }) } catch (e) { return e.name }",
  ],
  ["out-of-bounds typed arrays", "const a = new Uint32Array(4); let s = 0; for (let i = -10; i < 1e5; i++) s += a[i] ?? 0; return s"],
  ["uninitialised memory", "let s = 0; for (let i = 0; i < 40; i++) for (const b of new Uint8Array(4096)) s += b; return s"],
  ["uninitialised arrays", "return new Array(10000).some((x) => x !== undefined)"],
  [
    "a slice of a huge string",
    "const s = 'a'.repeat(100); return [s.slice(-1e9, 1e9).length, s.substring(NaN, Infinity).length, s.at(1e9) === undefined, s.charCodeAt(1e9)]",
  ],
  ["a regex with lastIndex far away", "const r = /x/g; r.lastIndex = 2 ** 40; return r.exec('xxx')"],
  [
    "sort that changes the array",
    "const a = [5, 4, 3, 2, 1].map((n) => ({ n })); a.sort((x, y) => { a.length = 0; return x.n - y.n }); return a.length",
  ],
  [
    "splice with a species",
    "class A extends Array { static get [Symbol.species]() { return function () { return new Proxy([], {}) } } } return A.from([1, 2, 3]).splice(0, 2).length",
  ],
  [
    "a getter that shrinks during join",
    "const a = [1, 2, 3]; Object.defineProperty(a, 0, { get() { a.length = 1; return 'x' } }); return a.join()",
  ],
  [
    "a map changed while it is walked",
    "const m = new Map([[1, 1]]); let n = 0; for (const [k] of m) { m.delete(k); if (n++ < 1000) m.set(k + 1, 1) } return n",
  ],
  ["a promise resolved with itself", "let r; const p = new Promise((x) => (r = x)); r(p); return p.catch((e) => e.name)"],
  ["toString during a host call", "return new URL({ toString() { console.log('in'); return new URL('http://a.b').href } }).href"],
  [
    "a host call inside a host call",
    "console.log({ toJSON() { return new URL('http://a.b').href + crypto.randomUUID().length + new TextEncoder().encode('x').length } }); return 1",
  ],
]

export const escapeAttempts: readonly EscapeAttempt[] = [...walls, ...leaks, ...forgery].map(([name, code]) => ({ name, code }))

/** Pairs: the first leaves something behind, the second looks for it. */
export const leftovers: readonly { readonly name: string; readonly leave: string; readonly look: string }[] = [
  { name: "globals", leave: "globalThis.left = 'planted-secret'", look: "return globalThis.left" },
  { name: "Object.prototype", leave: "Object.prototype.left = 'planted-secret'", look: "return ({}).left" },
  { name: "Array.prototype", leave: "Array.prototype.map = () => 'planted-secret'", look: "return [1].map((x) => x)" },
  {
    name: "Promise.prototype.then",
    leave: "Promise.prototype.then = function () { return 'planted-secret' }",
    look: "return Promise.resolve(1).then((x) => x)",
  },
  { name: "JSON", leave: "JSON.stringify = () => 'planted-secret'", look: "return JSON.stringify({ a: 1 })" },
  { name: "Symbol.for", leave: "globalThis[Symbol.for('left')] = 'planted-secret'", look: "return globalThis[Symbol.for('left')]" },
  { name: "the console", leave: "console.log = () => {}; console.left = 'planted-secret'", look: "console.log('x'); return console.left" },
  {
    name: "tools",
    leave: "try { tools.left = 'planted-secret' } catch {} globalThis.tools = 'planted-secret'",
    look: "return String(tools)",
  },
  { name: "ToolError", leave: "ToolError.prototype.left = 'planted-secret'", look: "return ToolError.prototype.left" },
  {
    name: "a regex's lastIndex and RegExp statics",
    leave: "/(planted-secret)/.exec('planted-secret')",
    look: "return [RegExp.$1, RegExp.lastMatch]",
  },
  { name: "chance", leave: "globalThis.r = Math.random(); Math.random = () => 'planted-secret'", look: "return typeof Math.random()" },
  {
    name: "timers",
    leave: "setTimeout(() => { globalThis.left = 'planted-secret' }, 1)",
    look: "await new Promise((r) => setTimeout(r, 20)); return globalThis.left",
  },
  {
    name: "microtasks",
    leave: "queueMicrotask(() => { for (;;) Promise.prototype.left = 'planted-secret' })",
    look: "return Promise.prototype.left",
  },
  {
    name: "memory",
    leave: "globalThis.keep = Array.from({ length: 2000 }, (_, i) => 'planted-secret' + i)",
    look: "return Array.from({ length: 100 }, () => [...new Uint8Array(1024)].some((b) => b !== 0)).includes(true)",
  },
  {
    name: "much memory",
    leave: "globalThis.keep = 'planted-secret'.repeat(1e6)",
    look: "return [...new Uint8Array(2e5)].some((b) => b !== 0)",
  },
  {
    name: "the stack",
    leave: "const f = (n) => (n === 0 ? 'planted-secret' : f(n - 1) + ''); f(500)",
    look: "const f = (n) => { let a, b, c; if (a || b || c) throw new Error('ESCAPED'); return n === 0 ? 0 : f(n - 1) }; return f(500)",
  },
]
