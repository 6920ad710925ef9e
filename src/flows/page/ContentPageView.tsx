import { useSelector } from '@xstate/react';
import type { ReactElement } from 'react';
import type { ActorRefFrom } from 'xstate';
import type { contentPageMachine } from '../../../machines/browsing/content-page.ts';
import { Trans } from '@lingui/react/macro';
import { ButtonLink } from '../../ui/Button.tsx';
import { chakra } from '../../ui/chakra.ts';
import { Loading } from '../../ui/Loading.tsx';
import { Message } from '../../ui/Message.tsx';
import { Page } from '../../ui/Page.tsx';
import { FlowScreen, type Screens } from '../../views/FlowScreen.tsx';
import { LoadFailure } from '../../views/LoadFailure.tsx';
import { StoreText } from '../../views/StoreText.tsx';

type Props = { actor: ActorRefFrom<typeof contentPageMachine> };

const Fetching = (): ReactElement => (
  <Loading>
    <Trans>Loading the page…</Trans>
  </Loading>
);

const Shown = ({ actor }: Props): ReactElement | null => {
  const page = useSelector(actor, ({ context }) => context.page);
  if (page === null) return null;
  return (
    <Page width="text">
      <chakra.h1 fontSize="3xl" mb={6} overflowWrap="anywhere">
        {page.name}
      </chakra.h1>
      <StoreText text={page.html} />
    </Page>
  );
};

const ForCustomers = (): ReactElement => (
  <Loading>
    <Trans>Please sign in to see this page. Taking you there…</Trans>
  </Loading>
);

const NotFound = (): ReactElement => (
  <Message
    level={1}
    failure
    heading={<Trans>We couldn’t find that page</Trans>}
    actions={
      <ButtonLink href="/">
        <Trans>Back to Home</Trans>
      </ButtonLink>
    }
  >
    <Trans>It may have been removed, or the link may be wrong.</Trans>
  </Message>
);

const Failed = ({ actor }: Props): ReactElement => (
  <LoadFailure actor={actor} heading={<Trans>We couldn’t load this page</Trans>} />
);

/** The screen for each state of a content page. */
const contentScreens: Screens<typeof contentPageMachine> = {
  loading: Fetching,
  shown: Shown,
  translating: Shown,
  forCustomers: ForCustomers,
  notFound: NotFound,
  failed: Failed,
};

/** A page that the store has written. */
export const ContentPageView = ({ actor }: { actor: ActorRefFrom<typeof contentPageMachine> }): ReactElement => (
  <FlowScreen flow="page" actor={actor} screens={contentScreens} />
);
