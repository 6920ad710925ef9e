import { expect } from '@playwright/test';
import type { AnyEventObject, AnyMachineSnapshot } from 'xstate';
import type { cartMachine } from '../../../../machines/browsing/cart.ts';
import { hasReducedPrices, type CartEntry, type LoadedCart } from '../../../../machines/model/buying/cart.ts';
import { changeCartElsewhere } from '../../causes.ts';
import { press } from '../../press.ts';
import type { Headings, Port, BrowserAdapter } from '../../browser-adapter.ts';
import { fillFields } from '../../wires.ts';
import { models } from '../../../../machines/path-models/flows/cart/paths.ts';
import { toCartXml, matchesCart } from './wires.ts';

const headings: Headings<typeof cartMachine> = {
  loading: 'Your cart',
  shown: 'Your cart',
  empty: 'Your cart is empty',
  failed: 'We couldn’t load your cart',
};

/** The cart without a code, or with one. */
const createCartPort = (withCode: boolean): Port => ({
  asks: ({ pathname, searchParams }) => pathname.endsWith('/cart/titles') && searchParams.has('code') === withCode,
  answer: ({ entries }: LoadedCart) => toCartXml(entries),
  says: ({ entries }: LoadedCart, body) => matchesCart(entries, body),
});

const isPossible = ({ context }: AnyMachineSnapshot, { type }: AnyEventObject): boolean =>
  // The code field is shown unless a code has been applied.
  !['code.submitted', 'code.rejected'].includes(type) || !hasReducedPrices((context as { entries: CartEntry[] }).entries);

/** The ports that read the cart without a code. */
const readPorts = ['cartEntries', 'cartEntriesAnew'];

export const adapter: BrowserAdapter = {
  name: 'cart',
  models,
  address: () => '/purchase',
  // The frame sends the same request, and would take the page's response.
  arrives: async ({ flow }) => flow.waitFor(),
  headings,
  isPossible,
  ports: {
    cartEntries: createCartPort(false),
    cartEntriesAnew: createCartPort(false),
    applyCode: createCartPort(true),
    removeCode: createCartPort(false),
  },
  causes: {
    'cart.changed': changeCartElsewhere,
    'code.submitted': async (world, event) => {
      await fillFields(world, { code: 'SPRING-20' });
      // Frame and page read the cart one after the other, in either order.
      for (const port of readPorts) await world.letThrough(port);
      await press(world, event);
      await expect.poll(() => world.waiting('applyCode'), { message: 'the code is asked about' }).toBeGreaterThan(0);
      for (const port of readPorts) world.hold(port);
    },
    'code.rejected': async (world) => {
      await fillFields(world, { code: '' });
      await press(world, { type: 'code.submitted' });
    },
  },
};
