import { expect } from '@playwright/test';
import type { AnyEventObject, AnyMachineSnapshot } from 'xstate';
import type { cartMachine } from '../../../../machines/browsing/cart.ts';
import { isCheaper, type CartEntry, type CartRead } from '../../../../machines/model/buying/cart.ts';
import { cartChangesElsewhere } from '../../causes.ts';
import { press } from '../../press.ts';
import type { Headings, Port, Stage } from '../../stage.ts';
import { fillFields } from '../../wires.ts';
import { models } from '../../../../machines/path-models/flows/cart/paths.ts';
import { cartWire, saysSame } from './wires.ts';

const headings: Headings<typeof cartMachine> = {
  loading: 'Your cart',
  shown: 'Your cart',
  empty: 'Your cart is empty',
  failed: 'We couldn’t load your cart',
};

/** The cart as it is, or as it is with a code. */
const cartPort = (withCode: boolean): Port => ({
  asks: ({ pathname, searchParams }) => pathname.endsWith('/cart/titles') && searchParams.has('code') === withCode,
  answer: ({ entries }: CartRead) => cartWire(entries),
  says: ({ entries }: CartRead, body) => saysSame(entries, body),
});

const isPossible = ({ context }: AnyMachineSnapshot, { type }: AnyEventObject): boolean =>
  // The field is there while no code is taken off.
  !['code.submitted', 'code.rejected'].includes(type) || !isCheaper((context as { entries: CartEntry[] }).entries);

/** The ports that read the cart without a code. */
const reads = ['cartEntries', 'cartEntriesAnew'];

export const stage: Stage = {
  name: 'cart',
  models,
  address: () => '/purchase',
  // The frame asks the same, and would take the answers of the page.
  arrives: async ({ flow }) => flow.waitFor(),
  headings,
  isPossible,
  ports: {
    cartEntries: cartPort(false),
    cartEntriesAnew: cartPort(false),
    applyCode: cartPort(true),
    removeCode: cartPort(false),
  },
  causes: {
    'cart.changed': cartChangesElsewhere,
    'code.submitted': async (world, event) => {
      await fillFields(world, { code: 'SPRING-20' });
      // The cart is read by one after the other, and the frame may be before.
      for (const port of reads) await world.letThrough(port);
      await press(world, event);
      await expect.poll(() => world.waiting('applyCode'), { message: 'the code is asked about' }).toBeGreaterThan(0);
      for (const port of reads) world.hold(port);
    },
    'code.rejected': async (world) => {
      await fillFields(world, { code: '' });
      await press(world, { type: 'code.submitted' });
    },
  },
};
