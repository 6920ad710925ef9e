import { useSelector } from '@xstate/react';
import { type ComponentType, type ReactElement, lazy, Suspense, useDeferredValue } from 'react';
import type { ActorRefFrom, StateValueFrom } from 'xstate';
import type { landingMachine } from '../../../machines/browsing/landing.ts';
import { Trans, useLingui } from '@lingui/react/macro';
import { chakra } from '../../ui/chakra.ts';
import { Skeleton } from '../../ui/Loading.tsx';
import { Page } from '../../ui/Page.tsx';
import { VisuallyHidden } from '../../ui/VisuallyHidden.ts';
import { ShelfSkeleton, Shelf } from '../../views/Shelf.tsx';
import { CoverFan, Hero } from './Hero.tsx';
import { useBrand } from '../../brand/BrandProvider.tsx';
import { Empty } from '../../ui/Message.tsx';
import { DidNotCome } from '../../views/DidNotCome.tsx';
import { plural } from '@lingui/core/macro';
import { listPath, titlePath } from '../../../machines/model/paths.ts';
import type { TitleSummary } from '../../../machines/model/title.ts';
import { names } from '../../brand/format.ts';
import { ButtonLink } from '../../ui/Button.tsx';
import { TextLink } from '../../ui/TextLink.tsx';
import { CategoryTiles } from './CategoryTiles.tsx';

/** The store's own HTML; the program that makes it harmless comes only where there is some. */
const CustomCode = lazy(async () => ({ default: (await import('../../views/Markup.tsx')).Markup }));

const Featured = ({ titles }: { titles: TitleSummary[] }): ReactElement | null => {
  const { t, i18n } = useLingui();
  const [title] = titles;
  if (title === undefined) return null;
  const { name } = title;
  const authors = names(title.authors, i18n.locale);
  return (
    <Hero picture={<CoverFan titles={titles.slice(0, 3)} />}>
      <chakra.p fontSize="lg">
        {authors === '' ? t`New on the shelves: ${name}` : t`New on the shelves: ${name} by ${authors}`}
      </chakra.p>
      <ButtonLink href={titlePath(title.id, title.name)} look="inverse">
        <Trans>Have a look</Trans>
      </ButtonLink>
    </Hero>
  );
};

/** The window: a featured title, a shelf for the newest and for each kind, and the categories. */
const LandingShown = ({ actor }: { actor: ActorRefFrom<typeof landingMachine> }): ReactElement => {
  const { t } = useLingui();
  const brand = useBrand();
  const shelves = useSelector(actor, ({ context }) => context.shelves);
  // The featured title comes at once; the shelves go up in small steps that give way to presses.
  const standing = useDeferredValue(shelves, []);
  return (
    <Page display="grid" gap={10} gridTemplateColumns="minmax(0, 1fr)">
      <Featured titles={shelves[0]?.titles ?? []} />
      {standing.map(({ type, titles, total }, place) => (
        <Shelf
          key={type}
          heading={type === 'all' ? t`New on the shelves` : brand.listTexts[type]}
          titles={titles}
          eager={place === 0}
          more={
            <TextLink href={listPath(type)} flex="none">
              {total === null ? t`See all` : t`See ${plural(total, { one: 'the one', other: 'all #' })}`}
              <VisuallyHidden>: {brand.listTexts[type]}</VisuallyHidden>
            </TextLink>
          }
        />
      ))}
      {standing.length > 0 ? <CategoryTiles /> : null}
      {brand.store.customCode === '' ? null : (
        <Suspense>
          <CustomCode html={brand.store.customCode} />
        </Suspense>
      )}
    </Page>
  );
};

/** A shop that has nothing in it yet. */
const LandingEmpty = (): ReactElement => {
  const { t } = useLingui();
  const { name } = useBrand();
  return (
    <Empty level={1} heading={t`Welcome to ${name}`}>
      <Trans>The shelves are still empty. Come back soon.</Trans>
    </Empty>
  );
};

/** None of the shelves came. */
const LandingFailed = ({ actor }: { actor: ActorRefFrom<typeof landingMachine> }): ReactElement => (
  <DidNotCome actor={actor} heading={<Trans>The shelves did not come</Trans>} />
);

/** The window before there is anything in it: the name is known, the rest is of the size to come. */
const LandingLoading = ({ actor }: { actor: ActorRefFrom<typeof landingMachine> }): ReactElement => {
  const types = useSelector(actor, ({ context }) => context.types);
  return (
    <Page display="grid" gap={10} gridTemplateColumns="minmax(0, 1fr)" aria-busy="true">
      <VisuallyHidden role="status">
        <Trans>Filling the shelves…</Trans>
      </VisuallyHidden>
      <Hero picture={<CoverFan titles={[]} />}>
        <Skeleton height="1.7rem" width="70%" opacity={0.3} animation="none" />
        <chakra.span height={12} />
      </Hero>
      <ShelfSkeleton />
      {types.map((type) => (
        <ShelfSkeleton key={type} />
      ))}
    </Page>
  );
};

type Actor = ActorRefFrom<typeof landingMachine>;

export const landingScreens: Record<StateValueFrom<typeof landingMachine>, ComponentType<{ actor: Actor }>> = {
  loading: LandingLoading,
  shown: LandingShown,
  empty: LandingEmpty,
  failed: LandingFailed,
};

/** The shop window. */
export const LandingView = ({ actor }: { actor: Actor }): ReactElement => {
  const value = useSelector(actor, (snapshot) => snapshot.value);
  const Screen = landingScreens[value];
  return (
    <div data-flow="landing" data-state={JSON.stringify(value)}>
      <Screen actor={actor} />
    </div>
  );
};
