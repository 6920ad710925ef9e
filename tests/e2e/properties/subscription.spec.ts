import type { Locator, Page } from '@playwright/test';
import { openWithFrame } from '../../../tools/browser/frame.ts';
import { expect, test } from '../support/store.ts';

const getSubscribeLink = (page: Page): Locator => page.getByRole('banner').locator('a[href="/subscription"]');

test('EnableSubscription shows the Subscribe button and opens its page [S3.property/EnableSubscription]', async ({
  page,
  shopPage,
  setProperties,
}) => {
  await openWithFrame(page, '/all');
  await getSubscribeLink(page).click();
  await shopPage.waitForState('subscription', 'offered');
  await setProperties({ EnableSubscription: false });
  await openWithFrame(page, '/all');
  await expect(page.getByRole('contentinfo').getByRole('link', { name: 'About' })).toBeVisible();
  await expect(getSubscribeLink(page)).toHaveCount(0);
  await page.goto('/subscription');
  await shopPage.waitForState('subscription', 'closed');
});

test('SubscribeButtonText sets the text of the Subscribe button [S3.property/SubscribeButtonText]', async ({
  page,
  setProperties,
}) => {
  await setProperties({ SubscribeButtonText: 'Join the lamplighters', SubscribeButtonSubText: null });
  await page.goto('/all');
  await expect(getSubscribeLink(page)).toHaveText('Join the lamplighters');
  await setProperties({ SubscribeButtonText: null });
  await page.goto('/all');
  await expect(getSubscribeLink(page)).toHaveText('Subscribe');
});

test('SubscribeButtonSubText sets the second line of the Subscribe button [S3.property/SubscribeButtonSubText]', async ({
  page,
  setProperties,
}) => {
  await setProperties({ SubscribeButtonSubText: 'Oil included' });
  await page.goto('/all');
  await expect(getSubscribeLink(page).getByText('Oil included')).toBeVisible();
  await setProperties({ SubscribeButtonSubText: null });
  await page.goto('/all');
  await expect(getSubscribeLink(page)).toHaveText('Subscribe');
});

test('SubscriptionMessageHtml sets the text above the plans [S3.property/SubscriptionMessageHtml]', async ({
  page,
  shopPage,
  setProperties,
}) => {
  await setProperties({ SubscriptionMessageHtml: '<p>All of the <strong>light</strong>.</p>' });
  await page.goto('/subscription');
  await expect(page.getByRole('main').getByText('light', { exact: true })).toBeVisible();
  await setProperties({ SubscriptionMessageHtml: null });
  await page.goto('/subscription');
  await shopPage.waitForState('subscription', 'offered');
  await expect(page.getByRole('main').getByText('light', { exact: true })).toHaveCount(0);
});

test('EnableWebSubscriptionRedeem lets customers redeem codes for subscriptions [S3.property/EnableWebSubscriptionRedeem]', async ({
  page,
  shopPage,
  setProperties,
}) => {
  const link = page.getByRole('main').getByRole('link', { name: 'Redeem a code' });
  await page.goto('/subscription');
  await link.click();
  await expect(page.getByRole('main')).toContainText('Codes can be redeemed for titles, credits, a subscription or a discount.');
  await setProperties({ EnableWebSubscriptionRedeem: false });
  await page.goto('/subscription');
  await shopPage.waitForState('subscription', 'offered');
  await expect(link).toHaveCount(0);
  await page.goto('/redeem');
  await expect(page.getByRole('main')).toContainText('Codes can be redeemed for titles, credits or a discount.');
});

test('the account shows credits if titles can be bought with credits', async ({ page, shopPage, customer, setProperties }) => {
  const credits = shopPage.flow('credits');
  await setProperties({ EnableBuyWithCredits: true, CreditCurrency: 'Lanterns' });
  await page.goto('/account');
  await expect(credits).toContainText('0 Lanterns');
  expect((await customer.request('credits/balance')).status).toBe(200);
  await setProperties({ EnableBuyWithCredits: false });
  await page.goto('/account');
  await expect(shopPage.flow('cards')).toContainText('You haven’t saved any cards.');
  await expect(credits).toBeHidden();
});
