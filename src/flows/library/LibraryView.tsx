import { Trans, useLingui, Plural } from '@lingui/react/macro';
import { useSelector } from '@xstate/react';
import type { ReactElement } from 'react';
import type { ActorRefFrom } from 'xstate';
import type { libraryMachine } from '../../../machines/reading/library.ts';
import { chakra } from '../../ui/chakra.ts';
import { Page } from '../../ui/Page.tsx';
import { SortSelect, TypeTabs } from './ListControls.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { TextLink } from '../../ui/TextLink.tsx';
import { useBrand } from '../../brand/BrandProvider.tsx';
import { formatDay } from '../../brand/facts.ts';
import { AppLinks } from '../../views/AppLinks.tsx';
import { libraryPath, listPath } from '../../../machines/model/paths.ts';
import { ButtonLink } from '../../ui/Button.tsx';
import { Skeleton } from '../../ui/Loading.tsx';
import { Empty } from '../../ui/Message.tsx';
import { VisuallyHidden } from '../../ui/VisuallyHidden.ts';
import { FlowScreen, type Screens } from '../../views/FlowScreen.tsx';
import { OwnedCard } from './OwnedCard.tsx';
import { Refunds } from './Refunds.tsx';
import { LoadFailure } from '../../views/LoadFailure.tsx';
import { useAppStores } from '../../views/use-app-stores.ts';

type Props = { actor: ActorRefFrom<typeof libraryMachine> };

const Grid = chakra('ul', {
  base: {
    display: 'grid',
    gridTemplateColumns: 'repeat(auto-fill, minmax(min(9.5rem, 44%), 1fr))',
    columnGap: 'clamp(1rem, 2.4vw, 2rem)',
    rowGap: 8,
    listStyleType: 'none',
    alignItems: 'start',
  },
});

const skeletonKeys = ['a', 'b', 'c', 'd', 'e', 'f'];

const FetchingTitles = (): ReactElement => (
  <>
    <VisuallyHidden role="status">
      <Trans>Loading your titles…</Trans>
    </VisuallyHidden>
    <Grid aria-hidden>
      {skeletonKeys.map((name) => (
        <li key={name}>
          <Skeleton css={{ aspectRatio: '2 / 3' }} />
          <Skeleton height="1rem" mt={3} width="80%" />
          <Skeleton height="2.5rem" mt={3} />
        </li>
      ))}
    </Grid>
  </>
);

const Shown = ({ actor }: Props): ReactElement => {
  const titles = useSelector(actor, (state) => state.context.titles);
  return (
    <>
      <chakra.p color="inkMuted" mb={5}>
        <Plural value={titles.length} one="# title" other="# titles" />
      </chakra.p>
      <Grid>
        {titles.map((owned) => (
          <li key={owned.instanceId}>
            <OwnedCard actor={actor} owned={owned} />
          </li>
        ))}
      </Grid>
    </>
  );
};

const EmptyLibrary = ({ actor }: Props): ReactElement => {
  const type = useSelector(actor, (state) => state.context.query.type);
  return (
    <Empty
      heading={
        type === 'all' ? <Trans>Your library is waiting for its first title</Trans> : <Trans>No titles of this type yet</Trans>
      }
      actions={
        <>
          <ButtonLink href={listPath(type)}>
            <Trans>Browse the shop</Trans>
          </ButtonLink>
          {type === 'all' ? null : (
            <ButtonLink href={libraryPath()} look="outline">
              <Trans>Show all my titles</Trans>
            </ButtonLink>
          )}
        </>
      }
    >
      <Trans>Titles you buy or get for free are kept here, along with your place in each one.</Trans>
    </Empty>
  );
};

const NotShown = ({ actor }: Props): ReactElement => (
  <LoadFailure actor={actor} level={2} heading={<Trans>We couldn’t load your library</Trans>} />
);

/** The screen for each state of My Library. */
const libraryScreens: Screens<typeof libraryMachine> = {
  loading: FetchingTitles,
  shown: Shown,
  empty: EmptyLibrary,
  failed: NotShown,
};

const Prompt = chakra('aside', {
  base: {
    display: 'flex',
    flexWrap: 'wrap',
    alignItems: 'baseline',
    columnGap: 6,
    rowGap: 2,
    mb: 8,
    px: 5,
    py: 3,
    bg: 'accentSoft',
    borderRadius: 'md',
  },
});

/** A note that the titles are also in the store's app; renders nothing for a store without one. */
const OpenApp = (): ReactElement | null => {
  const { t } = useLingui();
  if (useAppStores().length === 0) return null;
  return (
    <Prompt aria-label={t`The app`}>
      <chakra.p flex="1 1 12rem">
        <Trans>You’ll find your titles in the app, too.</Trans>
      </chakra.p>
      <chakra.span display="flex" flexWrap="wrap" columnGap={6} rowGap={2}>
        <AppLinks />
      </chakra.span>
    </Prompt>
  );
};

/**
 * The notice that titles have left the library with an ended subscription, with a link to the
 * subscriptions.
 */
const LeftTitles = ({ actor }: Props): ReactElement | null => {
  const { i18n } = useLingui();
  const { store } = useBrand();
  const lostTitles = useSelector(actor, (state) => state.context.left);
  if (lostTitles === null) return null;
  const date = formatDay(lostTitles.at, i18n.locale);
  return (
    <chakra.div mb={8}>
      <Notice>
        <Trans>Your subscription ended on {date}.</Trans>{' '}
        <Plural
          value={lostTitles.count}
          one="# title that it included has left your library. Your place in it is kept."
          other="# titles that it included have left your library. Your place in each is kept."
        />{' '}
        {store.enableSubscription ? (
          <TextLink href="/subscription">
            <Trans>See subscriptions</Trans>
          </TextLink>
        ) : null}
      </Notice>
    </chakra.div>
  );
};

/** My Library: all titles that the customer may read. */
export const LibraryView = ({ actor }: { actor: ActorRefFrom<typeof libraryMachine> }): ReactElement => {
  const type = useSelector(actor, (state) => state.context.query.type);
  return (
    <FlowScreen flow="library" actor={actor} screens={libraryScreens}>
      {(screen) => (
        <Page>
          <chakra.h1 fontSize="3xl" mb={5}>
            <Trans>My Library</Trans>
          </chakra.h1>
          <chakra.div display="flex" flexWrap="wrap" alignItems="center" justifyContent="space-between" gap={4} mb={8}>
            <TypeTabs current={type} />
            <SortSelect actor={actor} />
          </chakra.div>
          <OpenApp />
          <LeftTitles actor={actor} />
          <Refunds actor={actor} />
          {screen}
        </Page>
      )}
    </FlowScreen>
  );
};
