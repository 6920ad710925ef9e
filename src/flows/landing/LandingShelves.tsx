import { plural } from '@lingui/core/macro';
import { Trans, useLingui } from '@lingui/react/macro';
import { useSelector } from '@xstate/react';
import { lazy, Suspense, useDeferredValue, type ReactElement } from 'react';
import type { ActorRefFrom } from 'xstate';
import type { landingMachine } from '../../../machines/browsing/landing.ts';
import type { TitleSummary } from '../../../machines/model/title.ts';
import { useBrand } from '../../brand/BrandProvider.tsx';
import { names, titlePath } from '../../brand/format.ts';
import { ButtonLink } from '../../ui/Button.tsx';
import { chakra } from '../../ui/chakra.ts';
import { Page } from '../../ui/Page.tsx';
import { TextLink } from '../../ui/TextLink.tsx';
import { VisuallyHidden } from '../../ui/VisuallyHidden.ts';
import { Shelf } from '../../views/Shelf.tsx';
import { CategoryTiles } from './CategoryTiles.tsx';
import { CoverFan } from './CoverFan.tsx';
import { Hero } from './Hero.tsx';

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
export const LandingShelves = ({ actor }: { actor: ActorRefFrom<typeof landingMachine> }): ReactElement => {
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
            <TextLink href={`/${type}`} flex="none">
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
