import { Trans, useLingui } from '@lingui/react/macro';
import { useSelector } from '@xstate/react';
import { createElement, type ReactElement } from 'react';
import type { StoreProperties } from '../../machines/model/store.ts';
import { BrandProvider } from '../brand/BrandProvider.tsx';
import { chakra } from '../ui/chakra.ts';
import { Loading } from '../ui/Loading.tsx';
import { EventButton } from '../ui/EventButton.tsx';
import { useApp, useAppActor } from '../views/app-actor.ts';
import { keptOf } from './flow-screens.ts';
import { Frame } from './Frame.tsx';
import { useFramed } from './frame-parts.ts';
import { LoadBoundary, LoadingFailed } from './LoadBoundary.tsx';
import { PageTitle } from './PageTitle.tsx';
import { takeFocus } from '../views/take-focus.ts';

/** As high as the window, so that the foot does not stand where the screen will. */
const OneMoment = (): ReactElement => (
  <chakra.div minHeight="100dvh">
    <Loading>
      <Trans>One moment…</Trans>
    </Loading>
  </chakra.div>
);

/** The screens of the flow that is running; each flow anew, though the next be of the same kind. */
const RunningFlow = (): ReactElement => {
  // Read in one go: a drawing may be interrupted, and a flow's screens drawn of the next flow's actor would break.
  const flow = useApp((context) => context.flow);
  const actor = useSelector(useAppActor(), ({ children }) => children['flow']);
  if (flow === null || actor === undefined) return <OneMoment />;
  return (
    <>
      <PageTitle flow={flow} actor={actor} />
      <LoadBoundary key={actor.sessionId}>
        {createElement(keptOf(flow).screens, { actor })}
        <span hidden ref={takeFocus} />
      </LoadBoundary>
    </>
  );
};

/** The part of the program that the screen is made of did not arrive. */
const Unfetched = (): ReactElement => {
  const { t } = useLingui();
  return (
    <>
      <title>{t`Loading failed! Please reload.`}</title>
      <LoadingFailed
        retry={
          <EventButton actor={useAppActor()} event={{ type: 'retry.pressed' }}>
            <Trans>Retry</Trans>
          </EventButton>
        }
      />
      <span hidden ref={takeFocus} />
    </>
  );
};

const Framed = ({ store, screen }: { store: StoreProperties; screen: ReactElement }): ReactElement => {
  const look = useApp(({ appearance }) => appearance);
  const theme = useFramed(({ context }) => context.theme);
  return (
    <BrandProvider store={store} look={look} theme={theme}>
      <Frame>{screen}</Frame>
    </BrandProvider>
  );
};

const Shelves = ({ store }: { store: StoreProperties }): ReactElement => {
  const isUnfetched = useSelector(useAppActor(), (snapshot) => snapshot.matches({ open: 'unfetched' }));
  if (isUnfetched) return <Framed store={store} screen={<Unfetched />} />;
  return <Framed store={store} screen={<RunningFlow />} />;
};

/** The open shop: its brand, the frame, and in the middle what the customer came for. */
export const OpenShop = (): ReactElement | null => {
  const store = useApp((context) => context.store);
  return store === null ? null : <Shelves store={store} />;
};
