import { join } from 'node:path';
import { expect } from '@playwright/test';
import type { Email } from 'postal-mime';
import type { ShopPlace } from '../shop/running-shop.ts';
import { emailsIn, getFirstLink } from '../shop/emails.ts';

/** Time limit in ms for an e-mail, on a busy machine. */
const timeout = 20_000;

/** Waits for the next e-mail to an address, which `cause` makes the shop send. */
export const emailAfter = async (
  { data }: ShopPlace,
  email: string,
  cause: () => Promise<unknown>,
): Promise<Email | undefined> => {
  const outbox = join(data, 'outbox');
  const { length } = await emailsIn(outbox, email);
  await cause();
  await expect.poll(async () => (await emailsIn(outbox, email)).length, { timeout }).toBeGreaterThan(length);
  return (await emailsIn(outbox, email)).at(-1);
};

/** The path of the link in an e-mail. */
export const getLinkPath = (letter: Email | undefined): string => new URL(getFirstLink(letter)).pathname;

/** The path of a link by which the customer may set a new password. */
export const requestResetPath = async (shop: ShopPlace, email: string): Promise<string> => {
  const ask = async () => {
    const { storeId, appId } = (await (await fetch(`${shop.url}/config.json`)).json()) as { storeId: string; appId: string };
    const query = new URLSearchParams({ shelfid: storeId, appid: appId, email });
    expect((await fetch(`${shop.url}/api/user/forgotpassword?${query.toString()}`)).status).toBe(200);
  };
  return getLinkPath(await emailAfter(shop, email, ask));
};

/** Verifies a customer's address by a reset link that sets `password`; earlier sessions end. */
export const verifyAddress = async (shop: ShopPlace, email: string, password: string): Promise<void> => {
  const token = (await requestResetPath(shop, email)).split('/').at(-1) ?? '';
  const { storeId } = (await (await fetch(`${shop.url}/config.json`)).json()) as { storeId: string };
  const reset = async () => {
    const answer = await fetch(`${shop.url}/api/user/resetpassword?shelfid=${storeId}`, {
      method: 'POST',
      headers: { 'content-type': 'text/xml' },
      body: `<ResetPassword><Token>${token}</Token><Password>${password}</Password></ResetPassword>`,
    });
    expect(answer.status).toBe(200);
  };
  // Its e-mail must not be mistaken for a later one.
  await emailAfter(shop, email, reset);
};
