import { useSelector } from '@xstate/react';
import type { ReactElement } from 'react';
import type { ActorRefFrom } from 'xstate';
import type { Price, TitleSummary } from '../../../machines/model/title.ts';
import type { paymentMachine } from '../../../machines/buying/payment.ts';
import { chakra } from '../../ui/chakra.ts';
import { paymentScreens } from './payment-screens.tsx';
import { SummaryCard } from './SummaryCard.tsx';

type Props = { actor: ActorRefFrom<typeof paymentMachine>; title: TitleSummary | null; price: Price | null };

/** Paying: what happens to the money now, above what it is for. The title is not known yet on the way back from the gateway. */
export const PaymentView = ({ actor, title, price }: Props): ReactElement => {
  const value = useSelector(actor, (state) => state.value);
  const Screen = paymentScreens[value];
  return (
    <chakra.div data-flow="payment" data-state={JSON.stringify(value)} display="grid" gap={6}>
      <Screen actor={actor} />
      {title === null ? null : <SummaryCard title={title} price={price} />}
    </chakra.div>
  );
};
