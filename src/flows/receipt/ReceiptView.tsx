import { useSelector } from '@xstate/react';
import type { ReactElement } from 'react';
import type { ActorRefFrom } from 'xstate';
import type { receiptMachine } from '../../../machines/buying/receipt.ts';
import { chakra } from '../../ui/chakra.ts';
import { Page } from '../../ui/Page.tsx';
import { receiptScreens } from './receipt-screens.tsx';

/** The page that a purchase ends on. */
export const ReceiptView = ({ actor }: { actor: ActorRefFrom<typeof receiptMachine> }): ReactElement => {
  const value = useSelector(actor, (state) => state.value);
  const Screen = receiptScreens[value];
  return (
    <chakra.div data-flow="receipt" data-state={JSON.stringify(value)}>
      <Page width="text">
        <Screen actor={actor} />
      </Page>
    </chakra.div>
  );
};
