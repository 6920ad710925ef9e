import { Trans } from '@lingui/react/macro';
import type { ReactElement } from 'react';
import { chakra } from '../../ui/chakra.ts';
import { Skeleton } from '../../ui/Loading.tsx';
import { Page } from '../../ui/Page.tsx';
import { VisuallyHidden } from '../../ui/VisuallyHidden.ts';
import { TitleLayout } from './TitleLayout.tsx';

const front = (
  <>
    <Skeleton height="2.7rem" width="min(26rem, 90%)" />
    <Skeleton height="1.6rem" width="12rem" />
    <Skeleton height="2rem" width="7rem" mt={4} />
    <chakra.div display="flex" flexWrap="wrap" gap={3} width="100%">
      <Skeleton height="3.5rem" width={{ base: '100%', md: '10rem' }} borderRadius="md" />
      <Skeleton height="3.5rem" width={{ base: '100%', md: '10rem' }} borderRadius="md" />
    </chakra.div>
  </>
);

const back = (
  <chakra.div display="grid" gap={3}>
    <Skeleton height="1.2rem" />
    <Skeleton height="1.2rem" />
    <Skeleton height="1.2rem" />
    <Skeleton height="1.2rem" width="60%" />
  </chakra.div>
);

/** The page of a title that has been asked for. */
export const TitleLoading = (): ReactElement => (
  <Page minHeight="100dvh" aria-busy="true">
    <VisuallyHidden role="status">
      <Trans>Taking it off the shelf…</Trans>
    </VisuallyHidden>
    <TitleLayout
      place={<Skeleton height="1.5rem" width="min(18rem, 70%)" />}
      cover={<Skeleton aspectRatio="2 / 3" />}
      front={front}
      back={back}
    />
  </Page>
);
