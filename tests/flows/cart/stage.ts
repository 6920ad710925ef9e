import type { cartMachine } from '../../../machines/browsing/cart.ts';
import type { CartEntry } from '../../../machines/model/cart.ts';
import { cartChangesElsewhere } from '../../e2e/tours/causes.ts';
import type { Headings, Port, Stage } from '../../e2e/tours/stage.ts';
import { models } from './paths.ts';
import { cartWire, saysSame } from './wires.ts';

const headings: Headings<typeof cartMachine> = {
  loading: 'Your cart',
  shown: 'Your cart',
  empty: 'Your cart is empty',
  failed: 'We couldn’t load your cart',
};

const cartEntries: Port = {
  asks: ({ pathname }) => pathname.endsWith('/cart/titles'),
  answer: (entries: CartEntry[]) => cartWire(entries),
  says: saysSame,
};

export const stage: Stage = {
  name: 'cart',
  models,
  address: () => '/purchase',
  // The frame asks the same, and would take the answers of the page.
  arrives: async ({ flow }) => flow.waitFor(),
  headings,
  ports: { cartEntries, cartEntriesAnew: cartEntries },
  causes: { 'cart.changed': cartChangesElsewhere },
};
