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

/** Creates a port that reads the cart, with or without a code. */
const createCartPort = (withCode: boolean): Port => ({
  matches: ({ pathname, searchParams }) => pathname.endsWith('/cart/titles') && searchParams.has('code') === withCode,
  toResponse: ({ entries }: LoadedCart) => toCartXml(entries),
  isEquivalent: ({ entries }: LoadedCart, body) => matchesCart(entries, body),
});

const isPossible = ({ context }: AnyMachineSnapshot, { type }: AnyEventObject): boolean =>
  // The code field is shown unless a code has been applied.
  !['code.submitted', 'code.rejected'].includes(type) || !hasReducedPrices((context as { entries: CartEntry[] }).entries);

/** The ports that load the cart without a code. */
const readPorts = ['cartEntries', 'reloadCartEntries'];

export const adapter: BrowserAdapter = {
  name: 'cart',
  models,
  getStartPath: () => '/purchase',
  // The frame sends the same request: without this wait it could get the page's response.
  openScreen: async ({ flow }) => flow.waitFor(),
  headings,
  isPossible,
  ports: {
    cartEntries: createCartPort(false),
    reloadCartEntries: createCartPort(false),
    applyCode: createCartPort(true),
    removeCode: createCartPort(false),
  },
  causes: {
    'cart.changed': changeCartElsewhere,
    'code.submitted': async (walk, event) => {
      await fillFields(walk, { code: 'SPRING-20' });
      // The frame and the page each read the cart, in either order.
      for (const port of readPorts) await walk.letThrough(port);
      await press(walk, event);
      await expect.poll(() => walk.countHeldRequests('applyCode'), { message: 'applyCode sends its request' }).toBeGreaterThan(0);
      for (const port of readPorts) walk.hold(port);
    },
    'code.rejected': async (walk) => {
      await fillFields(walk, { code: '' });
      await press(walk, { type: 'code.submitted' });
    },
  },
};
