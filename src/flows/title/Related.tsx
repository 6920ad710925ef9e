import { useLingui } from '@lingui/react/macro';
import { useSelector } from '@xstate/react';
import type { ComponentType, ReactElement } from 'react';
import type { ActorRefFrom, SnapshotFrom } from 'xstate';
import type { titleMachine } from '../../../machines/browsing/title.ts';
import { TitleCarousel, TitleCarouselSkeleton } from '../../views/TitleCarousel.tsx';

type Actor = ActorRefFrom<typeof titleMachine>;
type RelatedState = Extract<SnapshotFrom<typeof titleMachine>['value'], object>['shown']['related'];

const Listed = ({ actor }: { actor: Actor }): ReactElement | null => {
  const { t } = useLingui();
  const titles = useSelector(actor, ({ context }) => context.related);
  return titles.length === 0 ? null : <TitleCarousel heading={t`You may also like`} titles={titles} />;
};

/** Keeps the place; its coming into sight is what the titles wait for. */
const Below = (): ReactElement => (
  <div data-in-view="related">
    <TitleCarouselSkeleton />
  </div>
);

const Nothing = (): null => null;

const parts: Record<RelatedState, ComponentType<{ actor: Actor }>> = {
  deciding: Nothing,
  below: Below,
  loading: TitleCarouselSkeleton,
  listed: Listed,
  hidden: Nothing,
};

/** Titles like this one, when the store wants them shown. */
export const Related = ({ actor }: { actor: Actor }): ReactElement => {
  const state = useSelector(actor, ({ value }): RelatedState => (typeof value === 'object' ? value.shown.related : 'deciding'));
  const Part = parts[state];
  return <Part actor={actor} />;
};
