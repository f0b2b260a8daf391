// The API as the person who is signed in to this browser.
import { createClient } from "toolplane/client"
import { readSessionKey } from "./session.ts"

export const client = createClient({ origin: `${location.origin}/api`, sessionKey: readSessionKey })
