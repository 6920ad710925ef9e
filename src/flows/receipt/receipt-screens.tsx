import { Trans } from '@lingui/react/macro';
import { useSelector } from '@xstate/react';
import type { ReactElement } from 'react';
import type { ActorRefFrom, StateValueFrom } from 'xstate';
import type { receiptMachine } from '../../../machines/buying/receipt.ts';
import { ButtonLink } from '../../ui/Button.tsx';
import { Loading } from '../../ui/Loading.tsx';
import { Failed, Message } from '../../ui/Message.tsx';
import { EventButton } from '../../ui/EventButton.tsx';
import { problemText } from '../../views/problem-text.ts';
import { Shown } from './Shown.tsx';

type Props = { actor: ActorRefFrom<typeof receiptMachine> };

const FetchingReceipt = (): ReactElement => (
  <Loading>
    <Trans>Fetching your receipt…</Trans>
  </Loading>
);

const LibraryLink = (): ReactElement => (
  <ButtonLink href="/mylibrary" look="outline">
    <Trans>My Library</Trans>
  </ButtonLink>
);

const NotFound = (): ReactElement => (
  <Message level={1} heading={<Trans>We could not find this receipt</Trans>} actions={<LibraryLink />}>
    <Trans>Everything that you own is in My Library.</Trans>
  </Message>
);

const NotShown = ({ actor }: Props): ReactElement => {
  const problem = useSelector(actor, (state) => state.context.problem);
  return (
    <Failed
      level={1}
      heading={<Trans>Your receipt could not be shown</Trans>}
      actions={
        <>
          <EventButton actor={actor} event={{ type: 'retry.pressed' }}>
            <Trans>Try again</Trans>
          </EventButton>
          <LibraryLink />
        </>
      }
    >
      {problem === null ? null : problemText(problem)} <Trans>Your purchase itself is safe.</Trans>
    </Failed>
  );
};

/** What the receipt's page shows in each of its states. */
export const receiptScreens: Record<StateValueFrom<typeof receiptMachine>, (props: Props) => ReactElement | null> = {
  arriving: FetchingReceipt,
  loading: FetchingReceipt,
  shown: Shown,
  notFound: NotFound,
  failed: NotShown,
};
