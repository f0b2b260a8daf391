// The page at `/connect/<integration>`: how a human binds a credential. Open to all, so it shows nothing that its address does not say.
import { executorCommandOnPages } from "../../io/executor-command.ts"
import { html } from "hono/html"
import { pageFrame } from "./page-frame.ts"

/** `slug`: checked. */
export async function connectPageHtml(slug: string): Promise<string> {
  const page = pageFrame(
    `Connect ${slug}`,
    html`<main class="home">
      <h1>Connect ${slug}</h1>
      <p class="soft">
        A tool of ${slug} was called, and there is no credential that it could use. A human binds it; no agent ever sees it.
      </p>
      <p>Type this where Executor is installed. It asks for the secret, and stores it encrypted:</p>
      <pre tabindex="0"><code>${executorCommandOnPages} connections add ${slug}</code></pre>
      <p>Or let the server read the secret from a variable of its environment, each time it is needed:</p>
      <pre tabindex="0"><code>${executorCommandOnPages} connections add ${slug} --env NAME</code></pre>
      <p>What is connected, and what is wrong with it:</p>
      <pre tabindex="0"><code>${executorCommandOnPages} connections list
${executorCommandOnPages} doctor</code></pre>
      <p><a href="/">Executor</a></p>
    </main>`,
  )
  return String(await page)
}
