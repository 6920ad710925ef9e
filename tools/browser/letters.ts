import { join } from 'node:path';
import { expect } from '@playwright/test';
import type { Email } from 'postal-mime';
import type { ShopPlace } from '../shop/running-shop.ts';
import { lettersIn, linkIn } from '../shop/letters.ts';

/** Milliseconds within which a letter is written, on a busy machine. */
const timeout = 20_000;

/** The next letter to an address, which `cause` makes the shop write. */
export const letterAfter = async (
  { data }: ShopPlace,
  email: string,
  cause: () => Promise<unknown>,
): Promise<Email | undefined> => {
  const outbox = join(data, 'outbox');
  const { length } = await lettersIn(outbox, email);
  await cause();
  await expect.poll(async () => (await lettersIn(outbox, email)).length, { timeout }).toBeGreaterThan(length);
  return (await lettersIn(outbox, email)).at(-1);
};

/** Where the link in a letter leads, as a path of the shop. */
export const pathIn = (letter: Email | undefined): string => new URL(linkIn(letter)).pathname;

/** A link by which the customer may set a new password. */
export const resetPathFor = async (shop: ShopPlace, email: string): Promise<string> => {
  const ask = async () => {
    const { storeId, appId } = (await (await fetch(`${shop.url}/config.json`)).json()) as { storeId: string; appId: string };
    const query = new URLSearchParams({ shelfid: storeId, appid: appId, email });
    expect((await fetch(`${shop.url}/api/user/forgotpassword?${query.toString()}`)).status).toBe(200);
  };
  return pathIn(await letterAfter(shop, email, ask));
};

/** Confirms a customer's address by a reset link that sets `password`; sessions from before end. */
export const confirmAddress = async (shop: ShopPlace, email: string, password: string): Promise<void> => {
  const token = (await resetPathFor(shop, email)).split('/').at(-1) ?? '';
  const { storeId } = (await (await fetch(`${shop.url}/config.json`)).json()) as { storeId: string };
  const reset = async () => {
    const answer = await fetch(`${shop.url}/api/user/resetpassword?shelfid=${storeId}`, {
      method: 'POST',
      headers: { 'content-type': 'text/xml' },
      body: `<ResetPassword><Token>${token}</Token><Password>${password}</Password></ResetPassword>`,
    });
    expect(answer.status).toBe(200);
  };
  // Its e-mail must not be taken for a later one.
  await letterAfter(shop, email, reset);
};
