import { Trans, useLingui } from '@lingui/react/macro';
import { useSelector } from '@xstate/react';
import { createContext, createElement, use, type ReactElement } from 'react';
import { BrandProvider } from '../../brand/BrandProvider.tsx';
import { chakra } from '../../ui/chakra.ts';
import { Loading } from '../../ui/Loading.tsx';
import { TextLink } from '../../ui/TextLink.tsx';
import { signInOrUpPath } from '../../../machines/flows/route.ts';
import { EventButton } from '../../ui/EventButton.tsx';
import { useApp, useScreenActor, type ScreenActor } from '../../views/app-actor.ts';
import { getStateAttributes } from '../../views/state-name.ts';
import { getScreens } from './flow-screens.ts';
import { Frame } from '../frame/Frame.tsx';
import { useFrameSnapshot } from '../frame/use-frame.ts';
import { LoadBoundary, LoadingFailed } from './LoadBoundary.tsx';
import { PageTitle } from './PageTitle.tsx';

/** Receives the element at the end of each new screen. */
export const ScreenMarkContext = createContext<(mark: HTMLElement | null) => void>(() => {});

const ScreenMark = (): ReactElement => <span hidden ref={use(ScreenMarkContext)} />;

const LoadingScreen = (): ReactElement => (
  <Loading>
    <Trans>One moment…</Trans>
  </Loading>
);

type ScreenProps = { screen: ScreenActor };

/**
 * The screens of the running flow. The next flow gets new screens, even if it is of the same kind.
 */
const RunningFlow = ({ screen }: ScreenProps): ReactElement => {
  // Name and actor are read in the same render: React may interrupt it, and a flow's screens fail
  // with the next flow's actor.
  const flow = useSelector(screen, ({ context }) => context.flow);
  const actor = useSelector(screen, ({ children }) => children['flow']);
  if (flow === null || actor === undefined) return <LoadingScreen />;
  return (
    <>
      <PageTitle flow={flow} actor={actor} />
      <LoadBoundary key={actor.sessionId}>
        {createElement(getScreens(flow).screens, { actor })}
        <ScreenMark />
      </LoadBoundary>
    </>
  );
};

/** Shown when the screen's chunk could not be loaded. */
const Unfetched = ({ screen }: ScreenProps): ReactElement => {
  const { t } = useLingui();
  return (
    <>
      <title>{t`Loading failed! Please reload.`}</title>
      <LoadingFailed
        retry={
          <EventButton actor={screen} event={{ type: 'retry.pressed' }}>
            <Trans>Try again</Trans>
          </EventButton>
        }
      />
      <ScreenMark />
    </>
  );
};

/** Shown once to a customer whose session has ended and who continues as a visitor. */
const SessionEnded = ({ screen }: ScreenProps): ReactElement => {
  const route = useSelector(screen, ({ context }) => context.route);
  return (
    <chakra.div display="flex" flexWrap="wrap" alignItems="center" gap={4} m={4} px={4} py={3} bg="accentSoft">
      <chakra.p flex="1" minWidth="14rem">
        <Trans>Your session has ended. You’re now browsing as a guest.</Trans>
      </chakra.p>
      <TextLink href={signInOrUpPath(route, { action: null, expired: false })}>
        <Trans>Sign in</Trans>
      </TextLink>
      <EventButton actor={screen} event={{ type: 'notice.closed' }} look="outline">
        <Trans>Close</Trans>
      </EventButton>
    </chakra.div>
  );
};

const Screen = ({ screen }: ScreenProps): ReactElement => {
  const value = useSelector(screen, (snapshot) => snapshot.value);
  const hasEnded = useSelector(screen, ({ context }) => context.ended);
  return (
    <div {...getStateAttributes('screen', value)}>
      <div role="status">{hasEnded ? <SessionEnded screen={screen} /> : null}</div>
      {value === 'unfetched' ? <Unfetched screen={screen} /> : <RunningFlow screen={screen} />}
    </div>
  );
};

/** The open shop: its brand, the frame, and the screen within it. */
export const OpenShop = (): ReactElement | null => {
  const store = useApp((context) => context.store);
  const look = useApp(({ appearance }) => appearance);
  const theme = useFrameSnapshot(({ context }) => context.theme);
  const screen = useScreenActor();
  if (store === null || screen === undefined) return null;
  return (
    <BrandProvider store={store} look={look} theme={theme}>
      <Frame>
        <Screen screen={screen} />
      </Frame>
    </BrandProvider>
  );
};
