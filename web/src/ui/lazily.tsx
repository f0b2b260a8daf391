// Parts of a page that are loaded when they are first shown, so that the page itself loads little.
import type { ComponentType, ReactNode } from "react"
import { Suspense, lazy, useState } from "react"
import { Skeleton } from "./states.tsx"

export function lazily<Props extends object>(load: () => Promise<ComponentType<Props>>, rows = 6): (props: Props) => ReactNode {
  const Part = lazy(async () => ({ default: await load() }))
  return (props) => (
    <Suspense fallback={<Skeleton rows={rows} />}>
      <Part {...props} />
    </Suspense>
  )
}

/** What opens over a page: nothing of it is loaded before. */
export function lazilyOpened<Props extends { readonly isOpen: boolean }>(
  load: () => Promise<ComponentType<Props>>,
): (props: Props) => ReactNode {
  const Part = lazy(async () => ({ default: await load() }))
  return (props) => {
    const [wasOpened, setOpened] = useState(props.isOpen)
    if (props.isOpen && !wasOpened) setOpened(true)
    return wasOpened ? (
      <Suspense>
        <Part {...props} />
      </Suspense>
    ) : null
  }
}
