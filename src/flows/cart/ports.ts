import type { EventObject } from 'xstate';
import type { CartFact } from '../../../machines/app/cart.ts';
import { cartMachine } from '../../../machines/browsing/cart.ts';
import type { CartEntry, CartRead } from '../../../machines/model/buying/cart.ts';
import type { RedeemForm } from '../../../machines/model/buying/redeem.ts';
import { channelPort, requestPort } from '../../../machines/ports.ts';
import { cart } from '../../client/cart/cart.ts';
import { cartCode } from '../../client/cart/cart-code.ts';
import { requireForm } from '../../client/account/start-session.ts';
import type { World } from '../../shell/app/world.ts';

const asRead = (entries: CartEntry[]): CartRead => ({ entries, refused: null });

export const flow = ({ own }: World) =>
  cartMachine.provide({
    actors: {
      cartEntries: requestPort<CartRead, { signedIn: boolean }>(async ({ input: { signedIn }, signal }) =>
        signedIn ? own(cartCode).read(signal) : asRead(await own(cart).readEntries(false, signal)),
      ),
      applyCode: requestPort<CartRead, { pii: { form: RedeemForm | null } }>(async ({ input, signal }) =>
        asRead(await own(cartCode).apply(requireForm(input.pii.form).code, signal)),
      ),
      removeCode: requestPort<CartRead>(async ({ signal }) => asRead(await own(cartCode).takeOff(signal))),
      cartNews: channelPort<EventObject, CartFact>(({ sendBack }) =>
        own(cart).onChanged(() => sendBack({ type: 'cart.changed' })),
      ),
    },
  });
