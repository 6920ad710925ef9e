import { Trans } from '@lingui/react/macro';
import { useSelector } from '@xstate/react';
import type { ReactElement } from 'react';
import type { ActorRefFrom, AnyActorRef, AnyMachineSnapshot } from 'xstate';
import type { accountMachine } from '../../../machines/account/account.ts';
import { chakra } from '../../ui/chakra.ts';
import { Page, Sheet } from '../../ui/Page.tsx';
import { useFrame } from '../../shell/frame/use-frame.ts';
import { Cards } from './Cards.tsx';
import { Credentials } from './Credentials.tsx';
import { Credits } from './Credits.tsx';
import { useHasAddition } from '../../views/app-actor.ts';
import { DataDownload } from './DataDownload.tsx';
import { Deletion } from './Deletion.tsx';
import { Details } from './Details.tsx';
import { Devices } from './Devices.tsx';
import { Gifts } from './Gifts.tsx';
import { Passkeys } from './Passkeys.tsx';
import { OwnProviders } from './OwnProviders.tsx';
import { OwnSubscription } from './OwnSubscription.tsx';
import { Person } from './Person.tsx';
import { Loading, Skeleton } from '../../ui/Loading.tsx';
import { TextLink } from '../../ui/TextLink.tsx';
import { FlowScreen, type Screens } from '../../views/FlowScreen.tsx';
import { LoadFailure } from '../../views/LoadFailure.tsx';
import { Purchases } from './Purchases.tsx';

type Props = { actor: ActorRefFrom<typeof accountMachine> };

const Fetching = (): ReactElement => (
  <Loading>
    <Trans>Loading your purchases…</Trans>
  </Loading>
);

const Empty = (): ReactElement => (
  <p>
    <Trans>
      You haven’t bought anything yet. <TextLink href="/all">See all titles</TextLink>
    </Trans>
  </p>
);

const Failed = ({ actor }: Props): ReactElement => (
  <LoadFailure actor={actor} level={2} heading={<Trans>We couldn’t load your purchases</Trans>} />
);

/**
 * The selects for the appearance. Reserves their space until the frame, which provides them, has
 * loaded.
 */
const AppearancePanel = (): ReactElement => {
  const frame = useFrame();
  return (
    <Sheet>
      <chakra.div maxWidth="22rem" minHeight="11.5rem">
        {frame ? <frame.LookSelects frame={frame.actor} /> : <Skeleton height="11.5rem" />}
      </chakra.div>
    </Sheet>
  );
};

const screens: Screens<typeof accountMachine> = {
  loading: Fetching,
  shown: Purchases,
  empty: Empty,
  failed: Failed,
};

/** Whether a panel is loading; one that is not running counts as not loading. */
const useIsLoading = (panel: AnyActorRef | undefined): boolean =>
  useSelector(panel, (state: AnyMachineSnapshot | undefined) => state?.matches('loading') === true);

/**
 * The customer's account. The screens of its machine show the purchases; the other panels with data
 * have machines of their own.
 */
export const AccountView = ({ actor }: Props): ReactElement => {
  const children = useSelector(actor, (snapshot) => snapshot.children);
  const {
    details,
    credentials,
    ownProviders,
    passkeys,
    gifts,
    ownSubscription,
    credits,
    cards,
    devices,
    dataDownload,
    deletion,
  } = children;
  // Each panel appears only after those above it have loaded, so that no button shifts.
  const detailsWait = useIsLoading(details);
  const providersWait = useIsLoading(ownProviders) || detailsWait;
  const passkeysWait = useIsLoading(passkeys) || providersWait;
  const purchasesWait = useIsLoading(actor) || passkeysWait;
  const giftsWait = useIsLoading(gifts) || purchasesWait;
  const subscriptionWaits = useIsLoading(ownSubscription) || giftsWait;
  const creditsWait = useIsLoading(credits) || subscriptionWaits;
  const isAddingCard = useSelector(cards, (state) => state?.value === 'adding');
  const cardsWait = useIsLoading(cards) || isAddingCard || creditsWait;
  const devicesWait = useIsLoading(devices) || cardsWait;
  const hasDownload = useHasAddition('user/data');
  return (
    <FlowScreen flow="account" actor={actor} screens={screens}>
      {(screen) => (
        <Page width="text" display="grid" gap={8}>
          <chakra.h1 fontSize="3xl">
            <Trans>My Profile</Trans>
          </chakra.h1>
          <Person />
          <AppearancePanel />
          {details === undefined ? null : <Details actor={details} />}
          {credentials === undefined || detailsWait ? null : <Credentials actor={credentials} />}
          {ownProviders === undefined || detailsWait ? null : <OwnProviders actor={ownProviders} />}
          {passkeys === undefined || providersWait ? null : <Passkeys actor={passkeys} />}
          {passkeysWait ? null : (
            <section>
              <chakra.h2 fontSize="xl" mb={3}>
                <Trans>Purchases</Trans>
              </chakra.h2>
              {screen}
            </section>
          )}
          {gifts === undefined || purchasesWait ? null : <Gifts actor={gifts} />}
          {ownSubscription === undefined || giftsWait ? null : <OwnSubscription actor={ownSubscription} />}
          {credits === undefined || subscriptionWaits ? null : <Credits actor={credits} />}
          {cards === undefined || creditsWait ? null : <Cards actor={cards} />}
          {devices === undefined || cardsWait ? null : <Devices actor={devices} />}
          {dataDownload === undefined || !hasDownload || devicesWait ? null : <DataDownload actor={dataDownload} />}
          {deletion === undefined || devicesWait ? null : (
            <Deletion actor={deletion} subscription={ownSubscription} credits={credits} />
          )}
        </Page>
      )}
    </FlowScreen>
  );
};
