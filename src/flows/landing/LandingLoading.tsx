import { Trans } from '@lingui/react/macro';
import { useSelector } from '@xstate/react';
import type { ReactElement } from 'react';
import type { ActorRefFrom } from 'xstate';
import type { landingMachine } from '../../../machines/browsing/landing.ts';
import { chakra } from '../../ui/chakra.ts';
import { Skeleton } from '../../ui/Loading.tsx';
import { Page } from '../../ui/Page.tsx';
import { VisuallyHidden } from '../../ui/VisuallyHidden.ts';
import { ShelfSkeleton } from '../../views/Shelf.tsx';
import { CoverFan } from './CoverFan.tsx';
import { Hero } from './Hero.tsx';

/** The window before there is anything in it: the name is known, the rest is of the size to come. */
export const LandingLoading = ({ actor }: { actor: ActorRefFrom<typeof landingMachine> }): ReactElement => {
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
