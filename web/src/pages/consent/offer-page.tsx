// The page behind a link to a consent: whoever follows it sees who asks for what; the button, not the link, goes on.
import type { ReactNode } from "react"
import { useMutation, useQuery } from "@tanstack/react-query"
import { useParams } from "@tanstack/react-router"
import { leaveForProvider, showOffer } from "../../api/consent.ts"
import { Button, LinkButton } from "../../ui/button.tsx"
import { Problem } from "../../ui/notice.tsx"
import { PageFrame } from "../../ui/page.tsx"
import { Skeleton } from "../../ui/states.tsx"
import { safeLine } from "../../ui/text/text.tsx"
import { OfferFacts } from "./offer-facts.tsx"

export function Page(): ReactNode {
  const { id } = useParams({ from: "/api/oauth/go/$id" })
  const { data: offer, error } = useQuery({ queryKey: ["consent", id], queryFn: () => showOffer(id), retry: false, gcTime: 0 })
  const leave = useMutation({
    mutationFn: () => leaveForProvider(id),
    onSuccess: (url) => location.assign(url),
  })
  if (error !== null)
    return (
      <PageFrame title="Not connected" actions={<LinkButton to="/connections">All connections</LinkButton>}>
        <Problem error={error} />
      </PageFrame>
    )
  if (offer === undefined)
    return (
      <PageFrame title="Connect">
        <Skeleton rows={4} />
      </PageFrame>
    )
  return (
    <PageFrame title={`Connect ${safeLine(offer.connection)}?`}>
      <div className="flex max-w-2xl flex-col gap-4">
        <OfferFacts offer={offer} />
        <p>Continue only if you expected this. Whoever sent you the link will be able to use your account through this server.</p>
        <Problem error={leave.error} />
        <div>
          <Button kind="primary" isBusy={leave.isPending} onClick={() => leave.mutate()}>
            Continue to {safeLine(offer.provider)}
          </Button>
        </div>
      </div>
    </PageFrame>
  )
}
