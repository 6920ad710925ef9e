import { join } from 'node:path';
import { expect } from '@playwright/test';
import type { Email } from 'postal-mime';
import type { ShopLocation } from '../shop/running-shop.ts';
import { readEmails, getFirstLink } from '../shop/emails.ts';

/** Time limit in ms for an e-mail, on a busy machine. */
const timeout = 20_000;

/** Waits for the next e-mail to an address, which `cause` makes the shop send. */
export const waitForEmail = async (
  { data }: ShopLocation,
  email: string,
  cause: () => Promise<unknown>,
): Promise<Email | undefined> => {
  const outbox = join(data, 'outbox');
  const { length } = await readEmails(outbox, email);
  await cause();
  await expect.poll(async () => (await readEmails(outbox, email)).length, { timeout }).toBeGreaterThan(length);
  return (await readEmails(outbox, email)).at(-1);
};

/** The path of the link in an e-mail. */
export const getLinkPath = (message: Email | undefined): string => new URL(getFirstLink(message)).pathname;

/** Requests a reset link for a customer. @returns the link's path */
export const requestResetPath = async (shop: ShopLocation, email: string): Promise<string> => {
  const requestReset = async () => {
    const { storeId, appId } = (await (await fetch(`${shop.url}/config.json`)).json()) as { storeId: string; appId: string };
    const query = new URLSearchParams({ shelfid: storeId, appid: appId, email });
    expect((await fetch(`${shop.url}/api/user/forgotpassword?${query.toString()}`)).status).toBe(200);
  };
  return getLinkPath(await waitForEmail(shop, email, requestReset));
};

/**
 * Verifies a customer's e-mail address by a reset link that sets `password`; earlier sessions end.
 */
export const verifyEmail = async (shop: ShopLocation, email: string, password: string): Promise<void> => {
  const token = (await requestResetPath(shop, email)).split('/').at(-1) ?? '';
  const { storeId } = (await (await fetch(`${shop.url}/config.json`)).json()) as { storeId: string };
  const reset = async () => {
    const response = await fetch(`${shop.url}/api/user/resetpassword?shelfid=${storeId}`, {
      method: 'POST',
      headers: { 'content-type': 'text/xml' },
      body: `<ResetPassword><Token>${token}</Token><Password>${password}</Password></ResetPassword>`,
    });
    expect(response.status).toBe(200);
  };
  // A later wait for an e-mail must not receive the e-mail about this reset.
  await waitForEmail(shop, email, reset);
};
