// As much of a page's DOM as is used here.
export type PageNode = {
  readonly nodeType: number
  readonly nodeName: string
  readonly textContent: string
  readonly data?: string
  readonly firstChild: PageNode | null
  readonly nextSibling: PageNode | null
  readonly parentNode: PageNode | null
  getAttribute(name: string): string | null
  setAttribute(name: string, value: string): void
  removeAttribute(name: string): void
  querySelectorAll(selector: string): ArrayLike<PageNode>
  remove(): void
}

export type PageDocument = PageNode & {
  readonly title: string
  readonly body: PageNode | null
  cloneNode(deep: boolean): PageDocument
  getElementsByTagName(name: string): object
}

export const elementNode = 1
export const textNode = 3
