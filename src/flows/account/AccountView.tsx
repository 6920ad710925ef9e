import { Trans } from '@lingui/react/macro';
import { useSelector } from '@xstate/react';
import type { ReactElement } from 'react';
import type { ActorRefFrom, StateValueFrom } from 'xstate';
import type { accountMachine } from '../../../machines/account/account.ts';
import { chakra } from '../../ui/chakra.ts';
import { Page, Sheet } from '../../ui/Page.tsx';
import { useFrame } from '../../shell/use-frame.ts';
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

/** Its place is kept until the frame comes, which knows the look. */
const Look = (): ReactElement => {
  const frame = useFrame();
  return (
    <Sheet>
      <chakra.div maxWidth="22rem" minHeight="11.5rem">
        {frame ? <frame.LookSelects frame={frame.actor} /> : <Skeleton height="11.5rem" />}
      </chakra.div>
    </Sheet>
  );
};

/** What is shown below the customer's own data in each state of the account. */
const accountScreens: Record<StateValueFrom<typeof accountMachine>, (props: Props) => ReactElement> = {
  loading: Fetching,
  shown: Purchases,
  empty: Empty,
  failed: Failed,
};

/** The customer's account. */
export const AccountView = ({ actor }: { actor: ActorRefFrom<typeof accountMachine> }): ReactElement => {
  const value = useSelector(actor, (state) => state.value);
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
  // Each part waits for those above it: nothing that can be pressed moves.
  const detailsWait = useSelector(details, (state) => state?.value === 'loading');
  const providersWait = useSelector(ownProviders, (state) => state?.value === 'loading') || detailsWait;
  const passkeysWait = useSelector(passkeys, (state) => state?.value === 'loading') || providersWait;
  const purchasesWait = passkeysWait || value === 'loading';
  const giftsWait = useSelector(gifts, (state) => state?.value === 'loading') || purchasesWait;
  const subscriptionWaits = useSelector(ownSubscription, (state) => state?.value === 'loading') || giftsWait;
  const creditsWait = useSelector(credits, (state) => state?.value === 'loading') || subscriptionWaits;
  const cardsWait = useSelector(cards, (state) => state?.value === 'adding' || state?.value === 'loading') || creditsWait;
  const devicesWait = useSelector(devices, (state) => state?.value === 'loading') || cardsWait;
  const hasDownload = useHasAddition('user/data');
  const Screen = accountScreens[value];
  return (
    <chakra.div data-flow="account" data-state={JSON.stringify(value)}>
      <Page width="text" display="grid" gap={8}>
        <chakra.h1 fontSize="3xl">
          <Trans>My Profile</Trans>
        </chakra.h1>
        <Person />
        <Look />
        {details === undefined ? null : <Details actor={details} />}
        {credentials === undefined || detailsWait ? null : <Credentials actor={credentials} />}
        {ownProviders === undefined || detailsWait ? null : <OwnProviders actor={ownProviders} />}
        {passkeys === undefined || providersWait ? null : <Passkeys actor={passkeys} />}
        {passkeysWait ? null : (
          <section>
            <chakra.h2 fontSize="xl" mb={3}>
              <Trans>Purchases</Trans>
            </chakra.h2>
            <Screen actor={actor} />
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
    </chakra.div>
  );
};
