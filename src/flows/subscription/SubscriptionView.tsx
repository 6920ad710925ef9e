import { Trans, Plural, useLingui } from '@lingui/react/macro';
import { useSelector } from '@xstate/react';
import type { ReactElement } from 'react';
import type { ActorRefFrom, StateValueFrom } from 'xstate';
import type { subscriptionMachine } from '../../../machines/buying/subscription.ts';
import { chakra } from '../../ui/chakra.ts';
import { Page, Sheet } from '../../ui/Page.tsx';
import { useLocation, useSearch } from 'wouter';
import { signInPath, withQuery } from '../../../machines/model/paths.ts';
import { ButtonLink } from '../../ui/Button.tsx';
import { Loading } from '../../ui/Loading.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { TextLink } from '../../ui/TextLink.tsx';
import { LoadFailure } from '../../views/LoadFailure.tsx';
import { SupportMail } from '../../views/SupportMail.tsx';
import { useBrand } from '../../brand/BrandProvider.tsx';
import { ownCurrency } from '../../brand/credits.ts';
import { StoreText } from '../../views/StoreText.tsx';

/** What a subscription brings, in the store's own words. */
const Offer = (): ReactElement | null => {
  const { t } = useLingui();
  const { store } = useBrand();
  const { subscriptionMessageHtml, creditsPerRenewal, enableWebSubscriptionRedeem } = store;
  const creditCurrency = ownCurrency(store);
  const brings = creditsPerRenewal > 0;
  if (subscriptionMessageHtml === '' && !brings && !enableWebSubscriptionRedeem) return null;
  return (
    <Sheet display="grid" gap={4}>
      {subscriptionMessageHtml === '' ? null : <StoreText text={subscriptionMessageHtml} />}
      {brings ? (
        <p>
          {creditCurrency === '' ? (
            <Plural value={creditsPerRenewal} one="Each renewal gives you # credit." other="Each renewal gives you # credits." />
          ) : (
            // The store's word stands in a text without tags: one in it would be taken for one of the message's.
            t`Each renewal gives you ${creditsPerRenewal} ${creditCurrency}.`
          )}
        </p>
      ) : null}
      {enableWebSubscriptionRedeem ? (
        <chakra.p>
          <Trans>
            Have a subscription code? <TextLink href="/redeem">Redeem a code</TextLink>
          </Trans>
        </chakra.p>
      ) : null}
    </Sheet>
  );
};

type Props = { actor: ActorRefFrom<typeof subscriptionMachine> };

const Checking = (): ReactElement => (
  <Loading>
    <Trans>Checking your subscription…</Trans>
  </Loading>
);

const Titles = (): ReactElement => (
  <ButtonLink href="/all" look="outline">
    <Trans>See all titles</Trans>
  </ButtonLink>
);

const Offered = ({ actor }: Props): ReactElement => {
  const signedIn = useSelector(actor, ({ context }) => context.signedIn);
  const [path] = useLocation();
  const query = useSearch();
  // With the code and the plan that the address holds.
  const signIn = signInPath({ return: withQuery(path, query) });
  return (
    <>
      <Offer />
      <p>
        {signedIn ? (
          <Trans>You don’t have a subscription.</Trans>
        ) : (
          <Trans>
            Already a subscriber? <TextLink href={signIn}>Sign in</TextLink>
          </Trans>
        )}
      </p>
      <p>
        <Trans>Would you like to subscribe?</Trans> <SupportMail />
      </p>
      <div>
        <Titles />
      </div>
    </>
  );
};

const Subscribed = (): ReactElement => (
  <>
    <Notice tone="success">
      <Trans>You’re subscribed.</Trans>
    </Notice>
    <Offer />
    <chakra.div display="flex" flexWrap="wrap" gap={3}>
      <ButtonLink href="/mylibrary">
        <Trans>My Library</Trans>
      </ButtonLink>
      <Titles />
    </chakra.div>
  </>
);

const Closed = (): ReactElement => (
  <>
    <p>
      <Trans>This shop doesn’t offer subscriptions. Each title is sold separately.</Trans>
    </p>
    <div>
      <Titles />
    </div>
  </>
);

const Failed = ({ actor }: Props): ReactElement => (
  <LoadFailure actor={actor} level={2} heading={<Trans>We couldn’t check your subscription</Trans>} />
);

/** What the page of subscriptions shows in each of its states. */
const subscriptionScreens: Record<StateValueFrom<typeof subscriptionMachine>, (props: Props) => ReactElement> = {
  deciding: Checking,
  checking: Checking,
  offered: Offered,
  subscribed: Subscribed,
  closed: Closed,
  failed: Failed,
};

/** What a subscription brings, and whether the customer has one. */
export const SubscriptionView = ({ actor }: { actor: ActorRefFrom<typeof subscriptionMachine> }): ReactElement => {
  const value = useSelector(actor, (state) => state.value);
  const Screen = subscriptionScreens[value];
  return (
    <chakra.div data-flow="subscription" data-state={JSON.stringify(value)}>
      <Page width="text" display="grid" gap={6}>
        <chakra.h1 fontSize="3xl">
          <Trans>Subscriptions</Trans>
        </chakra.h1>
        <Screen actor={actor} />
      </Page>
    </chakra.div>
  );
};
