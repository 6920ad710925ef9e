import type { EventObject } from 'xstate';
import type { CartFact } from '../../../machines/app/cart.ts';
import { cartMachine } from '../../../machines/browsing/cart.ts';
import type { CartEntry } from '../../../machines/model/cart.ts';
import { channelPort, requestPort } from '../../../machines/ports.ts';
import { onCartChanged, readEntries } from '../../client/cart.ts';
import { api, asVisitor } from '../../client/open-client.ts';

export const flow = cartMachine.provide({
  actors: {
    cartEntries: requestPort<CartEntry[], { signedIn: boolean }>(async ({ input: { signedIn }, signal }) =>
      readEntries(api, asVisitor, signedIn, signal),
    ),
    cartNews: channelPort<EventObject, CartFact>(({ sendBack }) => onCartChanged(() => sendBack({ type: 'cart.changed' }))),
  },
});
