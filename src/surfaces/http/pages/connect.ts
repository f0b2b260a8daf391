// The page at `/connect/<integration>`: how a human adds a credential. It is public, so it shows nothing that its address does not say.
import { executorCommandOnPages } from "../../../io/executor-command.ts"
import { html } from "hono/html"
import { pageBar, pageFrame } from "./frame.ts"

/** `slug`: checked. */
export async function connectPageHtml(slug: string): Promise<string> {
  const page = pageFrame(
    `Connect ${slug}`,
    html`${pageBar()}
      <main class="home">
        <h1>Connect ${slug}</h1>
        <p class="soft">Tools of ${slug} can be called once it has a credential. Only a person can add one; agents never see it.</p>
        <p>Run this where Executor is installed. It asks for the secret and stores it encrypted:</p>
        <pre tabindex="0"><code>${executorCommandOnPages} connections add ${slug}</code></pre>
        <p>Or have the server read the secret from an environment variable each time it is needed:</p>
        <pre tabindex="0"><code>${executorCommandOnPages} connections add ${slug} --env NAME</code></pre>
        <p>Replace the credential of one that is connected:</p>
        <pre tabindex="0"><code>${executorCommandOnPages} connections update ${slug}</code></pre>
        <p>See what is connected and whether it works:</p>
        <pre tabindex="0"><code>${executorCommandOnPages} connections list
${executorCommandOnPages} doctor</code></pre>
      </main>`,
  )
  return String(await page)
}
