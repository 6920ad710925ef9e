import { expect, type Page } from '@playwright/test';
import { password } from '../../../browser/customer.ts';
import { createEmail } from '../../../browser/shop.ts';
import type { WalkContext } from '../../browser-adapter.ts';

/**
 * Presses the button that reloads the shop after a deletion. An empty page is served instead, so
 * that the previous page's trace is kept.
 */
export const leaveShop = async ({ page }: WalkContext): Promise<void> => {
  await page.route(
    ({ pathname }) => pathname === '/',
    (route) => route.fulfill({ contentType: 'text/html', body: '<title>left</title>' }),
  );
  await page.locator('[data-event="leave.pressed"]').click();
  await expect(page).toHaveTitle('left');
};

/** Deletes the account and leaves the page. */
export const deleteAndLeave = async (walk: WalkContext): Promise<void> => {
  const deletion = walk.page.locator('[data-flow="deletion"]');
  await deletion.locator('[data-event="delete.pressed"]').click();
  await deletion.locator('[name="password"]').fill(password);
  await deletion.locator('[data-event="deletion.submitted"]').click();
  await leaveShop(walk);
};

/** Changes the customer's e-mail address on the account page. @returns the new e-mail address */
export const changeEmail = async (page: Page): Promise<string> => {
  const email = createEmail();
  const credentials = page.locator('[data-flow="credentials"]');
  await credentials.locator('[data-event="changeEmail.pressed"]').click();
  await credentials.locator('[name="email"]').fill(email);
  await credentials.locator('[name="current"]').fill(password);
  await credentials.locator('[data-event="email.submitted"]').click();
  return email;
};
