// Makes a readable text of a page's HTML: its article, or else everything but what surrounds it.
import { Readability, Turndown, createDocument, gfm } from "./libraries.ts"
import type { Article } from "./libraries.ts"
import { elementNode, textNode } from "./page-node.ts"
import type { PageDocument, PageNode } from "./page-node.ts"

export type Readable = { readonly title: string | null; readonly content: string }

const elementsMax = 100_000
/** An article shorter than this is perhaps only a part that looks like one. */
const articleCharsMin = 250

export function readPage(html: string, url: string, format: "markdown" | "text"): Readable {
  const page = createDocument(html, true)
  allowIteration(page)
  prepare(page, baseOf(page, url), url)
  const title = page.title.trim() || null
  const article = articleOf(page)
  const body = page.body
  const isWhole = article?.content == null || isPart(article.content, body)
  if (isWhole && body !== null) for (const node of all(body, surroundings)) node.remove()
  const root = isWhole ? body : (article.content ?? body)
  if (root === null) return { title, content: "" }
  return { title: title ?? article?.title ?? null, content: format === "text" ? plainText(root) : markdown(root) }
}

const surroundings = "header, footer, aside, form, [role=banner], [role=contentinfo]"
const unread =
  "nav, [role=navigation], script, style, noscript, template, iframe, object, embed, svg, canvas, link, [hidden], [aria-hidden=true]"

/** The parser's lists are live and cannot be iterated, which Readability does: it gets those of the moment. */
function allowIteration(page: PageDocument): void {
  const lists = Object.getPrototypeOf(page.getElementsByTagName("p")) as { [Symbol.iterator]?: () => Iterator<PageNode> } // the class of all such lists
  lists[Symbol.iterator] ??= function (this: { length: number; item(at: number): PageNode }) {
    return Array.from({ length: this.length }, (_, at) => this.item(at))[Symbol.iterator]()
  }
}

const all = (node: PageNode, selector: string): PageNode[] => Array.from(node.querySelectorAll(selector))

function baseOf(page: PageDocument, url: string): string {
  const href = all(page, "base")[0]?.getAttribute("href")
  return (href == null ? null : URL.parse(href, url)?.href) ?? url
}

function prepare(page: PageDocument, base: string, url: string): void {
  for (const node of all(page, unread)) node.remove()
  for (const node of all(page, "[style]"))
    if (/display\s*:\s*none|visibility\s*:\s*hidden/i.test(node.getAttribute("style") ?? "")) node.remove()
  for (const node of all(page, "a[href]")) absolute(node, "href", base)
  for (const node of all(page, "img[src]")) absolute(node, "src", base)
  // The parser leaves these to browsers.
  Object.defineProperty(page, "baseURI", { value: base })
  Object.defineProperty(page, "documentURI", { value: url })
}

/** What runs or embeds instead of leading somewhere goes. */
function absolute(node: PageNode, name: "href" | "src", base: string): void {
  const target = URL.parse(node.getAttribute(name) ?? "", base)
  if (target !== null && ["http:", "https:", "mailto:"].includes(target.protocol)) node.setAttribute(name, target.href)
  else node.removeAttribute(name)
}

function articleOf(page: PageDocument): Article | null {
  try {
    const copy = page.cloneNode(true)
    for (const name of ["baseURI", "documentURI"] as const) Object.defineProperty(copy, name, { value: Reflect.get(page, name) as string }) // just defined
    return new Readability(copy, { maxElemsToParse: elementsMax, keepClasses: true, serializer: (node) => node }).parse()
  } catch {
    return null
  }
}

function isPart(article: PageNode, body: PageNode | null): boolean {
  const chars = article.textContent.trim().length
  return chars < articleCharsMin && (body?.textContent.trim().length ?? 0) > 2 * chars
}

function markdown(root: PageNode): string {
  const turndown = new Turndown({ headingStyle: "atx", codeBlockStyle: "fenced", bulletListMarker: "-", hr: "---", emDelimiter: "*" })
  turndown.use(gfm)
  turndown.addRule("image", {
    filter: "img",
    replacement(_, node) {
      const src = node.getAttribute("src")
      const alt = (node.getAttribute("alt") ?? "").replaceAll(/\s+/g, " ").trim()
      return src === null ? alt : `![${alt.replaceAll("]", "\\]")}](${src})`
    },
  })
  return turndown.turndown(root).trim()
}

const blocks = new Set(
  "P DIV H1 H2 H3 H4 H5 H6 LI UL OL DL DT DD TABLE TR PRE BLOCKQUOTE SECTION ARTICLE MAIN FIGURE FIGCAPTION HR BR".split(" "),
)

/** Without recursion: a page may be nested as deeply as it likes. */
function plainText(root: PageNode): string {
  const pieces: string[] = []
  let node: PageNode | null = root
  while (node !== null) {
    if (node.nodeType === textNode) pieces.push((node.data ?? "").replaceAll(/\s+/g, " "))
    else if (node.nodeType === elementNode && blocks.has(node.nodeName)) pieces.push("\n")
    else if (node.nodeName === "TD" || node.nodeName === "TH") pieces.push("\t")
    if (node.firstChild !== null) node = node.firstChild
    else {
      while (node !== null && node !== root && node.nextSibling === null) {
        node = node.parentNode
        if (node !== null && blocks.has(node.nodeName)) pieces.push("\n")
      }
      node = node === null || node === root ? null : node.nextSibling
    }
  }
  return pieces
    .join("")
    .replaceAll(/ *\n */g, "\n")
    .replaceAll(/\n{3,}/g, "\n\n")
    .trim()
}
