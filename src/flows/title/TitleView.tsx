import type { ReactElement } from 'react';
import type { ActorRefFrom } from 'xstate';
import type { titleMachine } from '../../../machines/browsing/title.ts';
import { TitleDetails } from './TitleDetails.tsx';
import { Trans } from '@lingui/react/macro';
import { ButtonLink } from '../../ui/Button.tsx';
import { Empty } from '../../ui/Message.tsx';
import { LoadFailure } from '../../views/LoadFailure.tsx';
import { chakra } from '../../ui/chakra.ts';
import { Skeleton } from '../../ui/Loading.tsx';
import { Page } from '../../ui/Page.tsx';
import { VisuallyHidden } from '../../ui/VisuallyHidden.ts';
import { FlowScreen, type Screens } from '../../views/FlowScreen.tsx';
import { TitleLayout } from './TitleLayout.tsx';

const coverSkeleton = (
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

const detailsSkeleton = (
  <chakra.div display="grid" gap={3}>
    <Skeleton height="1.2rem" />
    <Skeleton height="1.2rem" />
    <Skeleton height="1.2rem" />
    <Skeleton height="1.2rem" width="60%" />
  </chakra.div>
);

/** A title's page while it loads. */
const TitleLoading = (): ReactElement => (
  <Page minHeight="100dvh" aria-busy="true">
    <VisuallyHidden role="status">
      <Trans>Taking it off the shelf…</Trans>
    </VisuallyHidden>
    <TitleLayout
      breadcrumbs={<Skeleton height="1.5rem" width="min(18rem, 70%)" />}
      cover={<Skeleton aspectRatio="2 / 3" />}
      summary={coverSkeleton}
      details={detailsSkeleton}
    />
  </Page>
);

/** The screen for a title that the shop does not have. */
const TitleNotFound = (): ReactElement => (
  <Empty
    level={1}
    heading={<Trans>We don’t have that title</Trans>}
    actions={
      <ButtonLink href="/all">
        <Trans>See all titles</Trans>
      </ButtonLink>
    }
  >
    <Trans>The link may be wrong, or the title may no longer be in this shop.</Trans>
  </Empty>
);

/** The screen for a title that could not be loaded. */
const TitleFailed = ({ actor }: { actor: ActorRefFrom<typeof titleMachine> }): ReactElement => (
  <LoadFailure actor={actor} heading={<Trans>We couldn’t load this title</Trans>} />
);

type Actor = ActorRefFrom<typeof titleMachine>;

export const titleScreens: Screens<typeof titleMachine> = {
  loading: TitleLoading,
  shown: TitleDetails,
  translating: TitleDetails,
  notFound: TitleNotFound,
  failed: TitleFailed,
};

/** A title's own page. */
export const TitleView = ({ actor }: { actor: Actor }): ReactElement => (
  <FlowScreen flow="title" actor={actor} screens={titleScreens} />
);
