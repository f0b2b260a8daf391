// Tests which character set a page is decoded by.
import { expect, test } from "vitest"
import { decodePage } from "./charset.ts"

const latin = (text: string): Uint8Array => Buffer.from(text, "latin1")
const bytes = (...all: (number[] | string)[]): Uint8Array =>
  Buffer.concat(all.map((one) => (typeof one === "string" ? Buffer.from(one, "latin1") : Buffer.from(one))))

test.each<[string, Uint8Array, string]>([
  ["a header", latin("caf\u00e9"), "text/html; charset=ISO-8859-1"],
  ["a quoted header", latin("caf\u00e9"), 'text/html;charset="windows-1252"'],
  ["meta charset", latin('<meta charset="iso-8859-15"><p>caf\u00e9'), "text/html"],
  ["meta http-equiv", latin("<META http-equiv=content-type content='text/html; charset=latin1'>caf\u00e9"), "text/html"],
  ["an XML declaration", latin("<?xml version='1.0' encoding='ISO-8859-1'?><p>caf\u00e9"), "application/xhtml+xml"],
  ["a mark against the header", bytes([0xef, 0xbb, 0xbf], "caf", [0xc3, 0xa9]), "text/html; charset=latin1"],
  ["UTF-16", Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from("caf\u00e9", "utf16le")]), "text/html"],
  ["nothing, as UTF-8", Buffer.from("caf\u00e9", "utf8"), "text/html"],
  ["nothing, as no UTF-8", latin("caf\u00e9"), ""],
  ["a set that does not exist", Buffer.from("caf\u00e9", "utf8"), "text/html; charset=klingon"],
  ["a meta that says UTF-16", Buffer.from('<meta charset="utf-16">caf\u00e9', "utf8"), "text/html"],
])("%s", (_name, page, contentType) => {
  expect(decodePage(page, contentType)).toMatch(/café$/)
})

test("Japanese", () => {
  expect(decodePage(bytes([0x93, 0xfa, 0x96, 0x7b]), "text/html; charset=Shift_JIS")).toBe("日本")
})
