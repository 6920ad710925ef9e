import { Trans } from '@lingui/react/macro';
import { useSelector } from '@xstate/react';
import type { ReactElement } from 'react';
import { useLocation, useSearch } from 'wouter';
import type { ActorRefFrom, StateValueFrom } from 'xstate';
import type { subscriptionMachine } from '../../../machines/buying/subscription.ts';
import { ButtonLink } from '../../ui/Button.tsx';
import { chakra } from '../../ui/chakra.ts';
import { Loading } from '../../ui/Loading.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { TextLink } from '../../ui/TextLink.tsx';
import { DidNotCome } from '../../views/DidNotCome.tsx';
import { SupportMail } from '../../views/SupportMail.tsx';
import { Offer } from './Offer.tsx';

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
  const back = encodeURIComponent(query === '' ? path : `${path}?${query}`);
  return (
    <>
      <Offer />
      <p>
        {signedIn ? (
          <Trans>You have no subscription.</Trans>
        ) : (
          <Trans>
            Have you subscribed already? <TextLink href={`/signin?return=${back}`}>Sign in</TextLink>
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
      <Trans>You have subscribed.</Trans>
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
      <Trans>This shop has no subscriptions. Every title is bought on its own.</Trans>
    </p>
    <div>
      <Titles />
    </div>
  </>
);

const Failed = ({ actor }: Props): ReactElement => (
  <DidNotCome actor={actor} level={2} heading={<Trans>We could not see whether you have subscribed</Trans>} />
);

/** What the page of subscriptions shows in each of its states. */
export const subscriptionScreens: Record<StateValueFrom<typeof subscriptionMachine>, (props: Props) => ReactElement> = {
  deciding: Checking,
  checking: Checking,
  offered: Offered,
  subscribed: Subscribed,
  closed: Closed,
  failed: Failed,
};
