// The page at `/signin`: with a one-time code, or by the methods that the tenant offers.
import type { ReactNode } from "react"
import { CodeSignIn } from "./code.tsx"
import { Methods } from "./methods.tsx"

export default function Page(): ReactNode {
  const query = new URLSearchParams(location.search)
  const code = query.get("code") ?? ""
  return code === "" ? <Methods query={query} /> : <CodeSignIn code={code} query={query} />
}
