import { Trans } from '@lingui/react/macro';
import type { ReactElement } from 'react';
import type { ActorRefFrom, StateValueFrom } from 'xstate';
import type { accountMachine } from '../../../machines/account/account.ts';
import { Loading } from '../../ui/Loading.tsx';
import { TextLink } from '../../ui/TextLink.tsx';
import { DidNotCome } from '../../views/DidNotCome.tsx';
import { Purchases } from './Purchases.tsx';

type Props = { actor: ActorRefFrom<typeof accountMachine> };

const Fetching = (): ReactElement => (
  <Loading>
    <Trans>Fetching your purchases…</Trans>
  </Loading>
);

const Empty = (): ReactElement => (
  <p>
    <Trans>
      You have not bought anything yet. <TextLink href="/all">See all titles</TextLink>
    </Trans>
  </p>
);

const Failed = ({ actor }: Props): ReactElement => (
  <DidNotCome actor={actor} level={2} heading={<Trans>Your purchases could not be shown</Trans>} />
);

/** What stands below the customer's own data in each state of the account. */
export const accountScreens: Record<StateValueFrom<typeof accountMachine>, (props: Props) => ReactElement> = {
  loading: Fetching,
  shown: Purchases,
  empty: Empty,
  failed: Failed,
};
