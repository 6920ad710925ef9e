import { useSelector } from '@xstate/react';
import { type ReactElement, Suspense } from 'react';
import type { ActorRefFrom } from 'xstate';
import type { viewerMachine } from '../../../machines/reading/viewer.ts';
import type { OpenedTitle } from '../../../machines/reading/viewer-setup.ts';
import { Box } from '../../ui/chakra.ts';
import { createReadingCss } from './reading-colors.ts';
import { Trans } from '@lingui/react/macro';
import type { bookMachine } from '../../../machines/reading/book.ts';
import type { interactiveMachine } from '../../../machines/reading/interactive.ts';
import type { tracksMachine } from '../../../machines/reading/tracks.ts';
import { FlowScreen, type Screens } from '../../views/FlowScreen.tsx';
import { lazyWithFallback } from '../../views/lazy-with-fallback.ts';
import { formatProblem } from '../../views/problem-text.ts';
import { BookView } from './BookView.tsx';
import { InteractiveView } from './InteractiveView.tsx';
import type { SampleOfferData } from './SampleOffer.tsx';
import { ViewerAction, ViewerMessage, ViewerWait } from './ViewerMessage.tsx';
import { TracksView } from './TracksView.tsx';

// Loaded on demand: few stores have their titles read in an app.
const AppLinks = lazyWithFallback(
  async () => (await import('../../views/AppLinks.tsx')).AppLinks,
  () => null,
);

type Props = { actor: ActorRefFrom<typeof viewerMachine> };

const toSampleOffer = (actor: Props['actor'], sample: boolean, { publication, about }: OpenedTitle): SampleOfferData => ({
  sample,
  titleId: publication.titleId,
  about,
  onBuy: () => actor.send({ type: 'buy.pressed' }),
});

const Opening = ({ actor }: Props): ReactElement => (
  <>
    <ViewerWait>
      <Trans>Opening the title…</Trans>
    </ViewerWait>
    <Box position="absolute" zIndex="2" top="env(safe-area-inset-top)" left="8px">
      <CloseButton actor={actor} />
    </Box>
  </>
);

const CloseButton = ({ actor }: Props): ReactElement => (
  <ViewerAction event="close.pressed" onClick={() => actor.send({ type: 'close.pressed' })}>
    <Trans>Close</Trans>
  </ViewerAction>
);

const Reading = ({ actor }: Props): ReactElement | null => {
  const { children, context } = useSelector(actor, (state) => state);
  const player = children.book as ActorRefFrom<typeof bookMachine> | undefined;
  if (!player || !context.opened) return null;
  const { name } = context.opened.publication;
  return (
    <BookView actor={player} name={name} offer={toSampleOffer(actor, context.sample, context.opened)} topBar={context.topBar} />
  );
};

const Listening = ({ actor }: Props): ReactElement | null => {
  const { children, context } = useSelector(actor, (state) => state);
  const player = children.tracks as ActorRefFrom<typeof tracksMachine> | undefined;
  if (!player || !context.opened) return null;
  const { name } = context.opened.publication;
  return <TracksView actor={player} name={name} offer={toSampleOffer(actor, context.sample, context.opened)} />;
};

const Playing = ({ actor }: Props): ReactElement | null => {
  const { children, context } = useSelector(actor, (state) => state);
  const player = children.interactive as ActorRefFrom<typeof interactiveMachine> | undefined;
  if (!player || !context.opened) return null;
  const { name } = context.opened.publication;
  return <InteractiveView actor={player} name={name} offer={toSampleOffer(actor, context.sample, context.opened)} />;
};

const InApp = ({ actor }: Props): ReactElement => (
  <ViewerMessage
    level={1}
    title={<Trans>You can read and play this shop’s titles in its app</Trans>}
    actions={<CloseButton actor={actor} />}
  >
    <Box display="flex" flexWrap="wrap" justifyContent="center" columnGap="24px">
      <Suspense>
        <AppLinks />
      </Suspense>
    </Box>
  </ViewerMessage>
);

type LostText = { title: ReactElement; text: ReactElement };

/**
 * The texts for a title that cannot be opened (`before`), and for one that becomes unavailable
 * while it is open.
 */
const lostTexts: Record<'notOwned' | 'notFound', { before: LostText; open: LostText }> = {
  notOwned: {
    before: {
      title: <Trans>This title isn’t in your library</Trans>,
      text: <Trans>The titles you own are in My Library.</Trans>,
    },
    open: {
      title: <Trans>This title is no longer in your library</Trans>,
      text: <Trans>It was returned, or your access has ended. The titles you own are in My Library.</Trans>,
    },
  },
  notFound: {
    before: {
      title: <Trans>There’s nothing to read here</Trans>,
      text: <Trans>The title may no longer be in this shop, or the link may be wrong.</Trans>,
    },
    open: {
      title: <Trans>This title has been withdrawn</Trans>,
      text: <Trans>The shop no longer has it. Your place is saved, in case it returns.</Trans>,
    },
  },
};

const createLostScreen =
  (state: keyof typeof lostTexts) =>
  ({ actor }: Props): ReactElement => {
    const wasOpen = useSelector(actor, ({ context }) => context.opened !== null);
    const { title, text } = lostTexts[state][wasOpen ? 'open' : 'before'];
    return (
      <ViewerMessage level={1} role="alert" title={title} actions={<CloseButton actor={actor} />}>
        {text}
      </ViewerMessage>
    );
  };

const Failed = ({ actor }: Props): ReactElement => {
  const problem = useSelector(actor, (state) => state.context.problem);
  return (
    <ViewerMessage
      level={1}
      role="alert"
      failure
      title={<Trans>We couldn’t open this title</Trans>}
      actions={
        <>
          <ViewerAction event="retry.pressed" main onClick={() => actor.send({ type: 'retry.pressed' })}>
            <Trans>Try again</Trans>
          </ViewerAction>
          <CloseButton actor={actor} />
        </>
      }
    >
      {problem === null ? null : formatProblem(problem)}
    </ViewerMessage>
  );
};

const screens: Screens<typeof viewerMachine> = {
  arriving: Opening,
  opening: Opening,
  reading: Reading,
  listening: Listening,
  playing: Playing,
  inApp: InApp,
  notOwned: createLostScreen('notOwned'),
  notFound: createLostScreen('notFound'),
  failed: Failed,
};

/** The viewer fills the window, without the frame of the other screens. */
export const ViewerView = ({ actor }: Props): ReactElement => (
  <FlowScreen flow="viewer" actor={actor} screens={screens}>
    {(screen) => (
      <Box as="main" css={{ ...createReadingCss('light'), position: 'fixed', inset: 0, zIndex: 10, overflow: 'hidden' }}>
        {/* A swipe turns pages and moves sliders: it must neither navigate nor reload the page. */}
        <style>{'html{overscroll-behavior:none}'}</style>
        {screen}
      </Box>
    )}
  </FlowScreen>
);
