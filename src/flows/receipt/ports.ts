import type { Receipt } from '../../../machines/model/buying/purchase.ts';
import type { HeldSubscription } from '../../../machines/model/buying/subscription.ts';
import { requestPort } from '../../../machines/ports.ts';
import { receiptMachine } from '../../../machines/buying/receipt.ts';
import { fetchReceipt } from './calls.ts';
import type { Api } from '../../client/wire/client.ts';
import { fetchSubscription } from '../../client/subscription/own-subscription.ts';
import { fetchTitle } from '../../client/catalogue/title.ts';
import type { AppEnvironment } from '../../shell/app/environment.ts';

/** Milliseconds that a receipt waits for its cover. */
const COVER_TIMEOUT_MS = 2_000;

/**
 * Adds the title's cover, and its name if the receipt has none. A receipt has no cover if its title
 * is no longer sold or fails to load.
 */
const addTitleData = async (api: Api, receipt: Omit<Receipt, 'cover'>, signal: AbortSignal): Promise<Receipt> => {
  const coverSignal = AbortSignal.any([signal, AbortSignal.timeout(COVER_TIMEOUT_MS)]);
  const title = await fetchTitle(api, receipt.titleId, coverSignal).catch(() => null);
  return { ...receipt, name: receipt.name || (title?.name ?? ''), cover: title?.cover ?? null };
};

export const flow = ({ api }: AppEnvironment) =>
  receiptMachine.provide({
    actors: {
      purchaseInfo: requestPort<Receipt, { transId: string; isGift: boolean }>(async ({ input, signal }) => {
        const shop = await api();
        return addTitleData(shop, await fetchReceipt(shop, input, signal), signal);
      }),
      loadSubscription: requestPort<HeldSubscription | null>(async ({ signal }) => fetchSubscription(await api(), signal)),
      print: requestPort<null>(async ({ signal }) => {
        const dialogClosed = new Promise<null>((resolve) => {
          addEventListener('afterprint', () => resolve(null), { once: true, signal });
        });
        // The dialog blocks the page: let the button's press render first.
        await new Promise((resolve) => setTimeout(resolve));
        window.print();
        return dialogClosed;
      }),
    },
  });
