import type { Page } from '@playwright/test';
import { findSeriousViolations, touchRules } from '../../pages/axe.ts';
import { CheckoutPage } from '../../../../tools/browser/checkout-page.ts';
import { cards, Customer } from '../../../../tools/browser/customer.ts';
import { Keyboard } from '../../pages/keyboard.ts';
import { readRecordedTrace } from '../../../../tools/browser/recorded-trace.ts';
import { expect, test as base } from '../../support/shop.ts';

/** A customer on the account page, with the cards loaded. */
class CardsPage extends CheckoutPage {
  readonly cards = this.shop.flow('cards');
  readonly cardItems = this.cards.getByRole('listitem');
  readonly statusMessage = this.cards.getByRole('status');

  async open(): Promise<void> {
    await this.page.goto('/account');
    await this.waitUntilShown();
  }

  async waitUntilShown(): Promise<void> {
    await this.shop.waitForState('cards', { shown: 'whole' });
  }

  async startAdding(): Promise<void> {
    await this.shop.control('add.pressed', this.cards).click();
    await this.waitForGateway();
  }

  /**
   * Expects a focused message that the card was added, and a URL without the card's token.
   */
  async expectAdded(name: string): Promise<void> {
    await expect(this.statusMessage).toHaveText(`${name} has been added.`);
    await expect(this.statusMessage).toBeFocused();
    await expect(this.page).toHaveURL(/\/account$/);
  }
}

const test = base.extend<{ customer: Customer; account: CardsPage }>({
  customer: async ({ shop, context }, use) => {
    const customer = await Customer.signUp(shop);
    await customer.signInBrowser(context);
    await use(customer);
  },
  account: async ({ page, customer }, use) => {
    expect(customer.token).not.toBe('');
    const account = new CardsPage(page);
    await account.open();
    await use(account);
  },
});

/** Counts the customer's cards on the server. */
const countCards = async (customer: Customer): Promise<number> =>
  (await (await customer.request('card/all')).text()).split('<Card>').length - 1;

/** Checks accessibility and touch targets. */
const expectAccessible = async (page: Page, label: string): Promise<void> => {
  expect([...(await findSeriousViolations(page, label)), ...(await findSeriousViolations(page, label, touchRules))]).toEqual([]);
};

/** Types a card with the keyboard alone, on the gateway's page. */
const typeCard = async (page: Page, number: string): Promise<void> => {
  const keyboard = new Keyboard(page);
  for (const [label, text] of [
    ['Card number', number],
    ['Expiry date (MM/YY)', '12/34'],
    ['Security code', '123'],
    ['Name on card', 'A Reader'],
  ] as const) {
    const field = page.getByLabel(label);
    if ((await field.inputValue()) === '') await keyboard.type(field, text);
  }
  await keyboard.press(page.getByRole('button', { name: 'Save card' }));
};

test('a customer without a mouse adds cards, chooses another default one, and removes one', async ({
  page,
  account,
  customer,
}) => {
  const keyboard = new Keyboard(page);
  const { cards: section, cardItems, statusMessage } = account;
  await expect(section).toContainText('You haven’t saved any cards.');
  await keyboard.press(section.getByRole('button', { name: 'Add a card' }));
  await account.waitForGateway();
  await typeCard(page, cards.declined);
  await expect(account.errorMessage).toContainText('Your card was declined.');
  await expect(page.getByLabel('Card number')).toHaveValue('');
  await expect(page.getByLabel('Name on card')).toHaveValue('A Reader');
  await expectAccessible(page, 'a declined card');
  await typeCard(page, cards.good);
  await account.expectAdded('Visa ending in 4242');
  await expect(cardItems).toHaveCount(1);
  await expect(cardItems.first()).toContainText('Expires 12/34');
  await expect(cardItems.first()).toContainText('Default');
  await expectAccessible(page, 'a card that was added');

  await page.reload();
  await account.waitUntilShown();
  await expect(cardItems).toHaveCount(1);
  await expect(statusMessage).toHaveCount(0);

  await keyboard.press(section.getByRole('button', { name: 'Add a card' }));
  await account.waitForGateway();
  await typeCard(page, cards.challenged);
  await keyboard.press(page.getByRole('button', { name: 'Approve', exact: true }));
  await account.expectAdded('Visa ending in 3184');
  await expect(cardItems).toHaveCount(2);
  await keyboard.press(section.getByRole('button', { name: 'Use by default: Visa ending in 3184' }));
  await expect(statusMessage).toHaveText('Visa ending in 3184 is now used by default.');
  await expect(cardItems.first()).toContainText('Visa ending in 3184');

  const removeButton = section.getByRole('button', { name: 'Remove Visa ending in 3184' });
  await keyboard.press(removeButton);
  await expect(section.getByRole('group', { name: 'Remove Visa ending in 3184?' })).toBeFocused();
  await expectAccessible(page, 'the question about a card');
  await keyboard.press(section.getByRole('button', { name: 'Keep card' }));
  await expect(removeButton).toBeFocused();
  await page.keyboard.press('Enter');
  await keyboard.press(section.getByRole('button', { name: 'Remove card' }));
  await expect(statusMessage).toHaveText('Visa ending in 3184 has been removed.');
  await expect(statusMessage).toBeFocused();
  await expect(cardItems).toHaveCount(1);
  await expect(cardItems.first()).toContainText('Default');
  expect(await countCards(customer)).toBe(1);
  expect(await customer.countCharges()).toBe(0);
});

test('a customer who returns without a card sees no error, and can start again', async ({ page, account, customer }) => {
  await account.startAdding();
  await account.cancelAtGateway();
  await account.waitUntilShown();
  await expect(page.getByRole('alert')).toHaveCount(0);
  await account.startAdding();
  await page.goBack();
  await account.waitUntilShown();
  await expect(page.getByRole('alert')).toHaveCount(0);
  await account.startAdding();
  await account.shop.payByCard();
  await account.expectAdded('Visa ending in 4242');
  expect(await countCards(customer)).toBe(1);
});

test('Back and reload do not add a card a second time', async ({ page, account, customer }) => {
  await account.startAdding();
  await account.shop.payByCard();
  await account.expectAdded('Visa ending in 4242');
  await page.goBack();
  await account.waitUntilShown();
  await expect(page).toHaveURL(/\/account$/);
  await page.reload();
  await account.waitUntilShown();
  expect(await countCards(customer)).toBe(1);
  await expect(account.cardItems).toHaveCount(1);
});

test('a card is added once when its response is lost and the customer retries', async ({ page, account, customer, errors }) => {
  errors.allow(/ERR_|Failed to load resource/);
  await account.startAdding();
  let requestCount = 0;
  await page.route('**/api/card/add?*', async (route) => {
    requestCount += 1;
    if (requestCount > 1) return route.fallback();
    await route.fetch();
    return route.abort('connectionreset');
  });
  await account.shop.payByCard();
  await account.shop.waitForState('cards', { shown: 'oneMissing' });
  await expect(account.errorMessage).toContainText('Your card hasn’t been added yet.');
  await account.shop.control('again.pressed').click();
  await account.expectAdded('Visa ending in 4242');
  expect(await countCards(customer)).toBe(1);
});

test('a customer whose session ends at the gateway signs in again, and the card is added', async ({
  page,
  context,
  account,
  customer,
  errors,
}) => {
  errors.allow(/status of 401/);
  await account.startAdding();
  await customer.signInBrowser(context, 'a-token-that-has-ended');
  await account.shop.payByCard();
  await account.shop.waitForState('signIn', 'asking');
  expect(decodeURIComponent(page.url())).not.toContain('setup_');
  await account.shop.signIn(customer.email);
  await account.expectAdded('Visa ending in 4242');
});

test('another customer’s card token adds no card, and is not in the record of the visit', async ({
  page,
  shop,
  account,
  customer,
  errors,
}) => {
  errors.allow(/status of 409/);
  const stranger = await Customer.signUp(shop);
  const { url } = (await (await stranger.request('card/session', {}, {})).json()) as { url: string };
  const cardForm = { number: cards.good, expiry: '12/34', cvc: '123', name: 'A Stranger' };
  const gatewayResponse = await fetch(url, { method: 'POST', body: new URLSearchParams(cardForm), redirect: 'manual' });
  const token = new URL(gatewayResponse.headers.get('location') ?? '').searchParams.get('cardtoken') ?? '';
  expect(token).toMatch(/^setup_/);
  await page.goto(`/account?cardtoken=${token}`);
  await expect(account.errorMessage).toContainText('Your card hasn’t been added.');
  await expect(page).toHaveURL(/\/account$/);
  await page.keyboard.press('Shift');
  await expect.poll(() => readRecordedTrace(page)).not.toBeNull();
  const trace = JSON.stringify(await readRecordedTrace(page));
  expect(trace).toContain('cardtoken');
  expect(trace).not.toContain(token);
  expect([await countCards(customer), await countCards(stranger)]).toEqual([0, 0]);
});
