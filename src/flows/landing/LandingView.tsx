import { useSelector } from '@xstate/react';
import { memo, type ReactElement, Suspense, use, useDeferredValue } from 'react';
import type { ActorRefFrom } from 'xstate';
import type { landingMachine } from '../../../machines/browsing/landing.ts';
import { Trans, useLingui } from '@lingui/react/macro';
import { chakra } from '../../ui/chakra.ts';
import { Skeleton } from '../../ui/Loading.tsx';
import { Page } from '../../ui/Page.tsx';
import { VisuallyHidden } from '../../ui/VisuallyHidden.ts';
import { HydratedLater } from '../../views/HydratedLater.tsx';
import { lazyWithFallback } from '../../views/lazy-with-fallback.ts';
import { TitleCarouselSkeleton, TitleCarousel } from '../../views/TitleCarousel.tsx';
import { CoverFan, Hero } from './Hero.tsx';
import { useBrand } from '../../brand/BrandProvider.tsx';
import { Empty } from '../../ui/Message.tsx';
import { LoadFailure } from '../../views/LoadFailure.tsx';
import { plural } from '@lingui/core/macro';
import { listPath, newestPath, titlePath } from '../../../machines/model/paths.ts';
import type { TitleSummary } from '../../../machines/model/catalogue/title.ts';
import { joinNames } from '../../brand/format.ts';
import { ButtonLink } from '../../ui/Button.tsx';
import { TextLink } from '../../ui/TextLink.tsx';
import { FlowScreen, type Screens } from '../../views/FlowScreen.tsx';
import { CategoryTiles } from './CategoryTiles.tsx';
import { getContinueChunk } from './load-continue-chunk.ts';
import { ServerRenderedContext } from '../../views/app-actor.ts';
import type { Shelf } from '../../../machines/model/catalogue/shelves.ts';

type LandingActor = ActorRefFrom<typeof landingMachine>;

/**
 * The store's own HTML; the chunk with the sanitiser is loaded only for a store that has such HTML.
 */
const CustomCode = lazyWithFallback(
  async () => (await import('../../views/Markup.tsx')).Markup,
  () => null,
);

const Featured = ({ titles }: { titles: TitleSummary[] }): ReactElement | null => {
  const { t, i18n } = useLingui();
  const [title] = titles;
  if (title === undefined) return null;
  const { name } = title;
  const authors = joinNames(title.authors, i18n.locale);
  return (
    <Hero picture={<CoverFan titles={titles.slice(0, 3)} />}>
      <chakra.p fontSize="lg">
        {authors === '' ? t`New on the shelves: ${name}` : t`New on the shelves: ${name} by ${authors}`}
      </chakra.p>
      <ButtonLink href={titlePath(title.id, title.name)} look="inverse">
        <Trans>Take a look</Trans>
      </ButtonLink>
    </Hero>
  );
};

/** A carousel of the titles of one kind, or of several kinds that have few titles each. */
const ShelfCarousel = memo(({ shelf, eager }: { shelf: Shelf; eager: boolean }): ReactElement => {
  const { t, i18n } = useLingui();
  const { listTexts } = useBrand();
  const formatHeading = ({ kinds, isFilled }: Shelf): string => {
    if (kinds[0]?.type === 'all') return t`New on the shelves`;
    const texts = kinds.map(({ type }) => listTexts[type]);
    return joinNames(isFilled ? [...texts, t`more`] : texts, i18n.locale);
  };
  return (
    <TitleCarousel
      heading={formatHeading(shelf)}
      titles={shelf.titles}
      eager={eager}
      more={
        <chakra.span display="flex" flexWrap="wrap" columnGap={4} flexShrink={shelf.kinds.length - 1}>
          {shelf.kinds.map(({ type, total }) => (
            <TextLink key={type} href={type === 'all' ? newestPath : listPath(type)}>
              {shelf.kinds.length > 1 ? (
                listTexts[type]
              ) : (
                <>
                  {total === null ? t`See all` : t`See ${plural(total, { one: '# title', other: 'all # titles' })}`}
                  <VisuallyHidden>: {listTexts[type]}</VisuallyHidden>
                </>
              )}
            </TextLink>
          ))}
        </chakra.span>
      }
    />
  );
});

/**
 * The landing page: started titles, a featured title, carousels for the newest titles and for the
 * kinds, and the categories.
 */
const LandingShown = ({ actor }: { actor: LandingActor }): ReactElement => {
  const { store } = useBrand();
  const { shelves, startedTitles } = useSelector(actor, ({ context }) => context);
  // The featured title is rendered at once. The carousels follow in small steps that do not block
  // input, except on a server-rendered page.
  const renderedShelves = useDeferredValue(shelves, use(ServerRenderedContext) ? shelves : []);
  const continueChunk = getContinueChunk();
  return (
    <Page display="grid" gap={10} gridTemplateColumns="minmax(0, 1fr)">
      {continueChunk && startedTitles?.length ? <continueChunk.ContinueShelf startedTitles={startedTitles} /> : null}
      <Featured titles={shelves[0]?.titles ?? []} />
      {renderedShelves.map((shelf, index) => (
        <HydratedLater key={shelf.kinds[0]?.type}>
          <ShelfCarousel shelf={shelf} eager={index === 0} />
        </HydratedLater>
      ))}
      {renderedShelves.length > 0 ? (
        <HydratedLater>
          <CategoryTiles />
        </HydratedLater>
      ) : null}
      {store.customCode === '' ? null : (
        <Suspense>
          <CustomCode html={store.customCode} />
        </Suspense>
      )}
    </Page>
  );
};

/** A shop without titles. */
const LandingEmpty = (): ReactElement => {
  const { t } = useLingui();
  const { name } = useBrand();
  return (
    <Empty level={1} heading={t`Welcome to ${name}`}>
      <Trans>The shelves are still empty. Please come back soon.</Trans>
    </Empty>
  );
};

/** No carousel could be loaded. */
const LandingFailed = ({ actor }: { actor: LandingActor }): ReactElement => (
  <LoadFailure actor={actor} heading={<Trans>We couldn’t load the titles</Trans>} />
);

/** The landing page while it loads: the store's name, and placeholders of the final sizes. */
const LandingLoading = ({ actor }: { actor: LandingActor }): ReactElement => {
  const types = useSelector(actor, ({ context }) => context.types);
  return (
    <Page display="grid" gap={10} gridTemplateColumns="minmax(0, 1fr)" aria-busy="true">
      <VisuallyHidden role="status">
        <Trans>Stocking the shelves…</Trans>
      </VisuallyHidden>
      <Hero picture={<CoverFan titles={[]} />}>
        <Skeleton height="1.7rem" width="70%" opacity={0.3} animation="none" />
        <chakra.span height={12} />
      </Hero>
      <TitleCarouselSkeleton />
      {types.map((type) => (
        <TitleCarouselSkeleton key={type} />
      ))}
    </Page>
  );
};

export const landingScreens: Screens<typeof landingMachine> = {
  loading: LandingLoading,
  shown: LandingShown,
  empty: LandingEmpty,
  failed: LandingFailed,
};

/** The landing page in each of its states. */
export const LandingView = ({ actor }: { actor: LandingActor }): ReactElement => (
  <FlowScreen flow="landing" actor={actor} screens={landingScreens} />
);
