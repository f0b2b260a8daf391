// A page's code, loaded when the page is first opened.
//
// When code is missing the router loads the whole tab again, which is right after an upgrade of the server. While the
// server is away it would leave nothing but the browser's own error: then the frame stays, and says what is wrong.
import type { ReactNode } from "react"
import { lazyRouteComponent } from "@tanstack/react-router"
import { PartMissing, isPartMissing, isServerThere } from "./missing-part.ts"

export const lazyPage = <Name extends string>(load: () => Promise<Readonly<Record<Name, () => ReactNode>>>, name: Name) =>
  lazyRouteComponent(
    () =>
      load().catch(async (error: unknown) => {
        throw isPartMissing(error) && !(await isServerThere()) ? new PartMissing() : error
      }),
    name,
  )
