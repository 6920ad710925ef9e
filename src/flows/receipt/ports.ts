import type { Receipt } from '../../../machines/model/buying/purchase.ts';
import type { HeldSubscription } from '../../../machines/model/buying/subscription.ts';
import { requestPort } from '../../../machines/ports.ts';
import { receiptMachine } from '../../../machines/buying/receipt.ts';
import { purchaseInfo } from './calls.ts';
import type { Api } from '../../client/wire/client.ts';
import { ownSubscription } from '../../client/subscription/own-subscription.ts';
import { titleById } from '../../client/catalogue/title.ts';
import type { World } from '../../shell/app/world.ts';

/** Milliseconds that a receipt waits for its picture. */
const COVER_LIMIT = 2_000;

/** A title that is sold no more, or does not come, has no picture on its receipt. */
const withTitle = async (api: Api, receipt: Omit<Receipt, 'cover'>, signal: AbortSignal): Promise<Receipt> => {
  const limit = AbortSignal.any([signal, AbortSignal.timeout(COVER_LIMIT)]);
  const title = await titleById(api, receipt.titleId, limit).catch(() => null);
  return { ...receipt, name: receipt.name || (title?.name ?? ''), cover: title?.cover ?? null };
};

export const flow = ({ api }: World) =>
  receiptMachine.provide({
    actors: {
      purchaseInfo: requestPort<Receipt, { transId: string; isGift: boolean }>(async ({ input, signal }) => {
        const shop = await api();
        return withTitle(shop, await purchaseInfo(shop, input, signal), signal);
      }),
      loadSubscription: requestPort<HeldSubscription | null>(async ({ signal }) => ownSubscription(await api(), signal)),
      print: requestPort<null>(async ({ signal }) => {
        const closed = new Promise<null>((resolve) => {
          addEventListener('afterprint', () => resolve(null), { once: true, signal });
        });
        // The dialog blocks the page: let the press be drawn first.
        await new Promise((resolve) => setTimeout(resolve));
        window.print();
        return closed;
      }),
    },
  });
