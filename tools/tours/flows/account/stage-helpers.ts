import { expect, type Page } from '@playwright/test';
import { password } from '../../../browser/customer.ts';
import { newEmail } from '../../../browser/shop.ts';
import type { World } from '../../stage.ts';

/** The shop is loaded anew after this press; the page that comes is empty, so that the record of the one before is still there. */
export const leaveForGood = async ({ page }: World): Promise<void> => {
  await page.route(
    ({ pathname }) => pathname === '/',
    (route) => route.fulfill({ contentType: 'text/html', body: '<title>left</title>' }),
  );
  await page.locator('[data-event="leave.pressed"]').click();
  await expect(page).toHaveTitle('left');
};

/** Deletes the account and leaves. */
export const deleteAndLeave = async (world: World): Promise<void> => {
  const deletion = world.page.locator('[data-flow="deletion"]');
  await deletion.locator('[data-event="delete.pressed"]').click();
  await deletion.locator('[name="password"]').fill(password);
  await deletion.locator('[data-event="deletion.submitted"]').click();
  await leaveForGood(world);
};

/** Gives the customer another address, on the page of the account. @returns the address */
export const changeAddress = async (page: Page): Promise<string> => {
  const email = newEmail();
  const credentials = page.locator('[data-flow="credentials"]');
  await credentials.locator('[data-event="changeEmail.pressed"]').click();
  await credentials.locator('[name="email"]').fill(email);
  await credentials.locator('[name="current"]').fill(password);
  await credentials.locator('[data-event="email.submitted"]').click();
  return email;
};
