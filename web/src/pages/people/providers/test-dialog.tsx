// A test of a provider: a link to a sign-in that shows its claims beside the roles they would give, and changes nothing.
import type { ReactNode } from "react"
import type { SignInTest } from "toolplane/client"
import { CopyButton } from "../../../ui/text/copy.tsx"
import { Dialog } from "../../../ui/dialogs/dialog.tsx"
import { ExternalLink } from "../../../ui/text/external-link.tsx"
import { safeLine } from "../../../ui/text/text.tsx"
import { Time } from "../../../ui/text/time.tsx"

type TestDialogProps = { readonly name: string; readonly test: SignInTest | null; readonly onClose: () => void }

/** A link, not a window that opens by itself: whoever has no account there sends it to somebody who has. */
export const TestDialog = ({ name, test, onClose }: TestDialogProps): ReactNode =>
  test === null ? null : (
    <Dialog isOpen title={`Test ${safeLine(name)}`} about="The provider answers. Now sign in there: nothing is saved." onClose={onClose}>
      <div className="flex items-center gap-2">
        <ExternalLink url={test.url}>Open the test sign-in</ExternalLink>
        <CopyButton text={test.url} label="Copy the link of the test" />
      </div>
      <p className="mt-3 text-secondary">
        It shows what the provider says of whoever signs in, beside the roles that the rules would give them, or why they would be refused.
        It works once, in any browser, and ends <Time at={test.expiresAt} />.
      </p>
    </Dialog>
  )
