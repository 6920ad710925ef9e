import { useSelector } from '@xstate/react';
import type { ReactElement } from 'react';
import type { ActorRefFrom } from 'xstate';
import type { checkoutMachine } from '../../../machines/buying/checkout.ts';
import { chakra } from '../../ui/chakra.ts';
import { Page } from '../../ui/Page.tsx';
import { checkoutScreens } from './checkout-screens.tsx';
import { Steps } from './Steps.tsx';

/** Buying one title, from its summary to the way to its receipt. */
export const CheckoutView = ({ actor }: { actor: ActorRefFrom<typeof checkoutMachine> }): ReactElement => {
  const value = useSelector(actor, (state) => state.value);
  const { step, Screen } = checkoutScreens[value];
  return (
    <chakra.div data-flow="checkout" data-state={JSON.stringify(value)}>
      <Page width="text">
        {step === null ? null : <Steps current={step} />}
        <Screen actor={actor} />
      </Page>
    </chakra.div>
  );
};
