import type { FlowInput } from '../../../../machines/flows/flow-input.ts';
import type { Receipt } from '../../../../machines/model/buying/purchase.ts';
import type { receiptMachine } from '../../../../machines/buying/receipt.ts';
import { subscribedPath } from '../../../../machines/model/purchase-paths.ts';
import type { HeldSubscription } from '../../../../machines/model/buying/subscription.ts';
import { ShopPage } from '../../../browser/shop.ts';
import { getNextOutput } from '../../causes.ts';
import type { Headings, BrowserAdapter } from '../../browser-adapter.ts';
import { toJsonResponse } from '../../wires.ts';
import { models } from '../../../../machines/path-models/flows/receipt/paths.ts';

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

const toReceiptJson = ({ gift, ...receipt }: Receipt) =>
  gift === undefined
    ? receipt
    : { ...receipt, gift: { deliverOn: gift.deliverOn, recipientName: gift.pii.name, recipientEmail: gift.pii.email } };

export const adapter: BrowserAdapter = {
  name: 'receipt',
  models,
  reusesPage: true,
  getStartPath: ({ route: { params } }: FlowInput) =>
    params['of'] === 'subscription'
      ? subscribedPath
      : `/title/purchase/success${params['transId'] === undefined ? '' : `?transId=${params['transId']}`}`,
  headings: receiptHeadings,
  // The receipt of a gift has no button to read the title.
  isPossible: ({ context }, { type }) =>
    type !== 'read.pressed' || (context as { receipt: Receipt | null }).receipt?.gift === undefined,
  causes: {
    'print.pressed': async ({ page, recordInjection }) => {
      recordInjection('a print dialog that stays open');
      await page.evaluate(() => void (window.print = () => undefined));
      await new ShopPage(page).control('print.pressed').click();
    },
    'xstate.error.actor.print': async ({ page }) => {
      await page.evaluate(() => {
        window.print = () => {
          throw new TypeError('Printing is not available.');
        };
      });
      await page.clock.runFor(1);
    },
    'xstate.done.actor.print': async ({ page }) => {
      await page.clock.runFor(1);
      await page.evaluate(() => void dispatchEvent(new Event('afterprint')));
    },
  },
  prepare: async (walk) => {
    if (getNextOutput(walk, 'purchaseInfo') === undefined) return undefined;
    return `/title/purchase/success?transId=${await (await walk.getCustomer()).buy('1001')}`;
  },
  ports: {
    loadSubscription: {
      matches: ({ pathname }) => pathname.endsWith('/user/subscription'),
      toResponse: (subscription: HeldSubscription | null) => toJsonResponse({ subscription }),
      isEquivalent: (subscription: HeldSubscription | null, body) => subscription === null && body === '{"subscription":null}',
    },
    purchaseInfo: {
      matches: ({ pathname }) => pathname.endsWith('/purchase/info'),
      toResponse: (receipt: Receipt) => toJsonResponse(toReceiptJson(receipt)),
      isEquivalent: ({ gift }: Receipt, body) => gift === undefined && body.includes('"instanceId"'),
    },
  },
};
