import type { EventObject } from 'xstate';
import type { CartFact } from '../../../machines/app/cart.ts';
import { cartMachine } from '../../../machines/browsing/cart.ts';
import type { CartEntry } from '../../../machines/model/cart.ts';
import { channelPort, requestPort } from '../../../machines/ports.ts';
import { cart } from '../../client/cart.ts';
import type { World } from '../../shell/world.ts';

export const flow = ({ own }: World) =>
  cartMachine.provide({
    actors: {
      cartEntries: requestPort<CartEntry[], { signedIn: boolean }>(async ({ input: { signedIn }, signal }) =>
        own(cart).readEntries(signedIn, signal),
      ),
      cartNews: channelPort<EventObject, CartFact>(({ sendBack }) =>
        own(cart).onChanged(() => sendBack({ type: 'cart.changed' })),
      ),
    },
  });
