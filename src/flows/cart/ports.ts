import type { EventObject } from 'xstate';
import type { CartFact } from '../../../machines/app/cart.ts';
import { cartMachine } from '../../../machines/browsing/cart.ts';
import type { CartEntry } from '../../../machines/model/cart.ts';
import type { RedeemForm } from '../../../machines/model/redeem.ts';
import { channelPort, requestPort } from '../../../machines/ports.ts';
import { cart } from '../../client/cart.ts';
import { cartCode } from '../../client/cart-code.ts';
import { requireForm } from '../../client/start-session.ts';
import type { World } from '../../shell/world.ts';

export const flow = ({ own }: World) =>
  cartMachine.provide({
    actors: {
      cartEntries: requestPort<CartEntry[], { signedIn: boolean }>(async ({ input: { signedIn }, signal }) =>
        signedIn ? own(cartCode).read(signal) : own(cart).readEntries(false, signal),
      ),
      applyCode: requestPort<CartEntry[], { pii: { form: RedeemForm | null } }>(async ({ input, signal }) =>
        own(cartCode).apply(requireForm(input.pii.form).code, signal),
      ),
      removeCode: requestPort<CartEntry[]>(async ({ signal }) => own(cartCode).takeOff(signal)),
      cartNews: channelPort<EventObject, CartFact>(({ sendBack }) =>
        own(cart).onChanged(() => sendBack({ type: 'cart.changed' })),
      ),
    },
  });
