import { useLingui } from '@lingui/react/macro';
import { useSelector } from '@xstate/react';
import type { ReactElement } from 'react';
import type { ActorRefFrom } from 'xstate';
import type { Title } from '../../../machines/model/catalogue/title.ts';
import type { titleMachine } from '../../../machines/browsing/title.ts';
import { joinNames } from '../../brand/format.ts';
import { chakra } from '../../ui/chakra.ts';
import { Cover } from '../../ui/Cover.tsx';
import { Page } from '../../ui/Page.tsx';
import { useApp } from '../../views/app-actor.ts';
import { Breadcrumbs } from '../../views/Breadcrumbs.tsx';
import { StoreText } from '../../views/StoreText.tsx';
import { InLibrary } from '../../views/InLibrary.tsx';
import { useOwnership } from '../../views/ownership.ts';
import { TitlePrice, HiddenUntilKnown } from '../../views/TitlePrice.tsx';
import { AuthorLinks, SeriesLink } from './AuthorLinks.tsx';
import { CategoryLinks } from './CategoryLinks.tsx';
import { Comments } from './Comments.tsx';
import { Facts } from './Facts.tsx';
import { Offers, TaxNote } from './Offers.tsx';
import { Related } from './Related.tsx';
import { Sharing } from './Sharing.tsx';
import { TitleActions } from './TitleActions.tsx';
import { TitleLayout } from './TitleLayout.tsx';

type Actor = ActorRefFrom<typeof titleMachine>;

const Names = ({ title }: { title: Title }): ReactElement => {
  const { t, i18n } = useLingui();
  const narrators = joinNames(title.narrators, i18n.locale);
  return (
    <chakra.div display="grid" gap={2}>
      <chakra.h1 fontSize="3xl" lang={title.language === '' ? undefined : title.language}>
        {title.name}
      </chakra.h1>
      {title.subtitle === '' ? null : (
        <chakra.p fontFamily="display" fontSize="xl" color="inkMuted">
          {title.subtitle}
        </chakra.p>
      )}
      <SeriesLink title={title} />
      <AuthorLinks title={title} />
      {narrators === '' ? null : <chakra.p color="inkMuted">{t`Read by ${narrators}`}</chakra.p>}
    </chakra.div>
  );
};

/** The breadcrumbs to the title through its first category. */
const TitleBreadcrumbs = ({ title }: { title: Title }): ReactElement | null => {
  const categories = useApp((context) => context.categories);
  const [category] = title.categories;
  return category === undefined ? null : (
    <Breadcrumbs categories={categories} categoryId={category.id} currentPageName={title.name} />
  );
};

const About = ({ title }: { title: Title }): ReactElement | null => {
  const { t } = useLingui();
  if (title.description === '') return null;
  return (
    <chakra.section aria-label={t`Description`}>
      <StoreText text={title.description} />
    </chakra.section>
  );
};

const Shown = ({ actor, title }: { actor: Actor; title: Title }): ReactElement => {
  const { t } = useLingui();
  const ownership = useOwnership(title.id);
  const isOwned = useSelector(
    actor,
    (snapshot) =>
      snapshot.matches({ shown: { ownership: 'owned' } }) ||
      // The known ownership counts until the server has checked it for this title.
      (ownership === 'owned' && !snapshot.matches({ shown: { ownership: 'notOwned' } })),
  );
  const isOwnershipUnknown = useSelector(
    actor,
    (snapshot) => ownership === 'unknown' && snapshot.matches({ shown: { ownership: 'checking' } }),
  );
  return (
    <Page display="grid" gap={16} gridTemplateColumns="minmax(0, 1fr)">
      <TitleLayout
        breadcrumbs={<TitleBreadcrumbs title={title} />}
        cover={
          <Cover
            cover={title.cover}
            name={title.name}
            alt={t`Cover of ${title.name}`}
            priority="first"
            sizes="(min-width: 1221px) 320px, (min-width: 768px) 240px, 176px"
          />
        }
        summary={
          <>
            <Names title={title} />
            <chakra.p aria-live="polite" display="flex" flexWrap="wrap" alignItems="baseline" gap={2}>
              {isOwned ? (
                <InLibrary size="lg" />
              ) : (
                <HiddenUntilKnown waits={isOwnershipUnknown}>
                  <TitlePrice title={title} size="lg" /> <TaxNote title={title} />
                </HiddenUntilKnown>
              )}
            </chakra.p>
            <TitleActions actor={actor} title={title} />
            <Offers actor={actor} title={title} />
            <Sharing actor={actor} />
          </>
        }
        details={
          <>
            <About title={title} />
            <Facts title={title} />
            <CategoryLinks title={title} />
          </>
        }
      />
      <Related actor={actor} />
      <Comments actor={actor} />
    </Page>
  );
};

/** A title's facts, price and actions. */
export const TitleDetails = ({ actor }: { actor: Actor }): ReactElement | null => {
  const title = useSelector(actor, ({ context }) => context.title);
  return title === null ? null : <Shown actor={actor} title={title} />;
};
