import type { EventObject } from 'xstate';
import type { CartFact } from '../../../machines/app/cart.ts';
import { cartMachine } from '../../../machines/browsing/cart.ts';
import type { CartEntry, LoadedCart } from '../../../machines/model/buying/cart.ts';
import type { RedeemForm } from '../../../machines/model/buying/redeem.ts';
import { channelPort, requestPort } from '../../../machines/ports.ts';
import { cart } from '../../client/cart/cart.ts';
import { cartCode } from '../../client/cart/cart-code.ts';
import { requireForm } from '../../client/account/start-session.ts';
import type { AppEnvironment } from '../../shell/app/environment.ts';

const toCartRead = (entries: CartEntry[]): LoadedCart => ({ entries, refused: null });

export const flow = ({ scoped }: AppEnvironment) =>
  cartMachine.provide({
    actors: {
      cartEntries: requestPort<LoadedCart, { signedIn: boolean }>(async ({ input: { signedIn }, signal }) =>
        signedIn ? scoped(cartCode).read(signal) : toCartRead(await scoped(cart).readEntries(false, signal)),
      ),
      applyCode: requestPort<LoadedCart, { pii: { form: RedeemForm | null } }>(async ({ input, signal }) =>
        toCartRead(await scoped(cartCode).apply(requireForm(input.pii.form).code, signal)),
      ),
      removeCode: requestPort<LoadedCart>(async ({ signal }) => toCartRead(await scoped(cartCode).remove(signal))),
      cartSignals: channelPort<EventObject, CartFact>(({ sendBack }) =>
        scoped(cart).onChanged(() => sendBack({ type: 'cart.changed' })),
      ),
    },
  });
