import { Trans } from '@lingui/react/macro';
import { useSelector } from '@xstate/react';
import type { ReactElement } from 'react';
import type { ActorRefFrom } from 'xstate';
import type { accountMachine } from '../../../machines/account/account.ts';
import { chakra } from '../../ui/chakra.ts';
import { Page } from '../../ui/Page.tsx';
import { accountScreens } from './account-screens.tsx';
import { Person } from './Person.tsx';

/** The customer's account. */
export const AccountView = ({ actor }: { actor: ActorRefFrom<typeof accountMachine> }): ReactElement => {
  const value = useSelector(actor, (state) => state.value);
  const Screen = accountScreens[value];
  return (
    <chakra.div data-flow="account" data-state={JSON.stringify(value)}>
      <Page width="text" display="grid" gap={8}>
        <chakra.h1 fontSize="3xl">
          <Trans>Account</Trans>
        </chakra.h1>
        <Person />
        <section>
          <chakra.h2 fontSize="xl" mb={3}>
            <Trans>Purchases</Trans>
          </chakra.h2>
          <Screen actor={actor} />
        </section>
      </Page>
    </chakra.div>
  );
};
