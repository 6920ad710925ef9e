import { Trans, useLingui } from '@lingui/react/macro';
import { useSelector } from '@xstate/react';
import type { ComponentType, ReactElement } from 'react';
import type { ActorRefFrom, SnapshotFrom } from 'xstate';
import { toRelatedTitlesRequest, type titleMachine } from '../../../machines/browsing/title.ts';
import type { RelatedTitlesRequest } from '../../../machines/browsing/title-setup.ts';
import { authorPath, seriesPath } from '../../../machines/model/paths.ts';
import { chakra } from '../../ui/chakra.ts';
import { TextLink } from '../../ui/TextLink.tsx';
import { VisuallyHidden } from '../../ui/VisuallyHidden.ts';
import { TitleCarousel, TitleCarouselSkeleton } from '../../views/TitleCarousel.tsx';

type Actor = ActorRefFrom<typeof titleMachine>;
type RelatedState = Extract<SnapshotFrom<typeof titleMachine>['value'], object>['shown']['related'];

const Rows = chakra('div', { base: { display: 'grid', gap: 12, gridTemplateColumns: 'minmax(0, 1fr)' } });

const isSameSource = (a: RelatedTitlesRequest, b: RelatedTitlesRequest): boolean =>
  a.series === b.series && a.author === b.author;

const Listed = ({ actor }: { actor: Actor }): ReactElement | null => {
  const { t } = useLingui();
  const shelves = useSelector(actor, ({ context }) => context.related);
  const { series, author } = useSelector(actor, ({ context }) => toRelatedTitlesRequest(context), isSameSource);
  const headings = { series: t`More in ${series}`, author: t`More by ${author}`, similar: t`You may also like` };
  const paths = { series: series && seriesPath(series), author: author && authorPath(author), similar: null };
  return (
    <Rows>
      {shelves.map(({ kind, titles }) => (
        <TitleCarousel
          key={kind}
          heading={headings[kind]}
          titles={titles}
          more={
            paths[kind] === null ? null : (
              <TextLink href={paths[kind]} flex="none">
                <Trans>See all</Trans>
                <VisuallyHidden>: {headings[kind]}</VisuallyHidden>
              </TextLink>
            )
          }
        />
      ))}
    </Rows>
  );
};

/** Placeholders with the number and height of the final rows. */
const Waiting = ({ actor }: { actor: Actor }): ReactElement => {
  const { series, author } = useSelector(actor, ({ context }) => toRelatedTitlesRequest(context), isSameSource);
  return (
    <Rows>
      {series === null ? null : <TitleCarouselSkeleton />}
      {author === null ? null : <TitleCarouselSkeleton />}
      <TitleCarouselSkeleton />
    </Rows>
  );
};

/** Reserves the space; the related titles are loaded when its top scrolls into view. */
const InViewMarker = ({ actor }: { actor: Actor }): ReactElement => (
  <chakra.div position="relative">
    <chakra.span data-in-view="related" position="absolute" top={0} width="1px" height="12rem" />
    <Waiting actor={actor} />
  </chakra.div>
);

const EmptyScreen = (): null => null;

const relatedScreens: Record<RelatedState, ComponentType<{ actor: Actor }>> = {
  deciding: EmptyScreen,
  below: InViewMarker,
  loading: Waiting,
  listed: Listed,
  hidden: EmptyScreen,
};

/**
 * Titles of the series, other titles of the author, and similar titles, when the store shows
 * related titles.
 */
export const Related = ({ actor }: { actor: Actor }): ReactElement => {
  const state = useSelector(actor, ({ value }): RelatedState => (typeof value === 'object' ? value.shown.related : 'deciding'));
  const Screen = relatedScreens[state];
  return <Screen actor={actor} />;
};
