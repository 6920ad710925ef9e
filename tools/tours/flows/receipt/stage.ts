import type { AnyEventObject } from 'xstate';
import type { FlowInput } from '../../../../machines/flows/flow-input.ts';
import type { Receipt } from '../../../../machines/model/buying/purchase.ts';
import type { receiptMachine } from '../../../../machines/buying/receipt.ts';
import { subscribedPath } from '../../../../machines/model/paths.ts';
import type { HeldSubscription } from '../../../../machines/model/buying/subscription.ts';
import { ShopPage } from '../../../browser/shop.ts';
import { nextOf } from '../../causes.ts';
import type { Headings, Stage, World } from '../../stage.ts';
import { json } from '../../wires.ts';
import { models } from '../../../../machines/path-models/flows/receipt/paths.ts';

/** What a port answers first, if it answers at all. */
const firstOutput = (world: World, port: string): unknown => (nextOf(world, port) as AnyEventObject | null)?.['output'];

const receiptHeadings: Headings<typeof receiptMachine> = {
  arriving: null,
  loading: null,
  loadingSubscription: null,
  subscribed: 'Thank you!',
  shown: 'Thank you!',
  printing: 'Thank you!',
  notFound: /We couldn’t find this receipt|Your subscription/,
  failed: /We couldn’t load your (receipt|subscription)/,
};

const receiptWire = ({ gift, ...receipt }: Receipt) =>
  gift === undefined
    ? receipt
    : { ...receipt, gift: { deliverOn: gift.deliverOn, recipientName: gift.pii.name, recipientEmail: gift.pii.email } };

export const stage: Stage = {
  name: 'receipt',
  models,
  sharesPage: true,
  address: ({ route: { params } }: FlowInput) =>
    params['of'] === 'subscription'
      ? subscribedPath
      : `/title/purchase/success${params['transId'] === undefined ? '' : `?transId=${params['transId']}`}`,
  headings: receiptHeadings,
  // A gift is not the giver's to open.
  isPossible: ({ context }, { type }) =>
    type !== 'read.pressed' || (context as { receipt: Receipt | null }).receipt?.gift === undefined,
  causes: {
    'print.pressed': async ({ page, injected }) => {
      injected('a print dialog that stays open');
      await page.evaluate(() => void (window.print = () => undefined));
      await new ShopPage(page).press('print.pressed').click();
    },
    'xstate.error.actor.print': async ({ page }) => {
      await page.evaluate(() => {
        window.print = () => {
          throw new TypeError('There is no printing here.');
        };
      });
      await page.clock.runFor(1);
    },
    'xstate.done.actor.print': async ({ page }) => {
      await page.clock.runFor(1);
      await page.evaluate(() => void dispatchEvent(new Event('afterprint')));
    },
  },
  prepares: async (world) => {
    if (firstOutput(world, 'purchaseInfo') === undefined) return undefined;
    return `/title/purchase/success?transId=${await (await world.customer()).buys('1001')}`;
  },
  ports: {
    loadSubscription: {
      asks: ({ pathname }) => pathname.endsWith('/user/subscription'),
      answer: (subscription: HeldSubscription | null) => json({ subscription }),
      says: (subscription: HeldSubscription | null, body) => subscription === null && body === '{"subscription":null}',
    },
    purchaseInfo: {
      asks: ({ pathname }) => pathname.endsWith('/purchase/info'),
      answer: (output: Receipt) => json(receiptWire(output)),
      says: ({ gift }: Receipt, body) => gift === undefined && body.includes('"instanceId"'),
    },
  },
};
