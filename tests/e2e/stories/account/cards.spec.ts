import type { Page } from '@playwright/test';
import { seriousViolations, touchRules } from '../../pages/axe.ts';
import { CheckoutPage } from '../../../../tools/browser/checkout-page.ts';
import { cards, Customer } from '../../../../tools/browser/customer.ts';
import { Keyboard } from '../../pages/keyboard.ts';
import { readRecordedTrace } from '../../../../tools/browser/recorded-trace.ts';
import { expect, test as base } from '../../support/shop.ts';

/** A customer on the account page, with the cards loaded. */
class CardsPage extends CheckoutPage {
  readonly cards = this.shop.flow('cards');
  readonly lines = this.cards.getByRole('listitem');
  readonly news = this.cards.getByRole('status');

  async open(): Promise<void> {
    await this.page.goto('/account');
    await this.isShown();
  }

  async isShown(): Promise<void> {
    await this.shop.waitForState('cards', { shown: 'whole' });
  }

  async startAdding(): Promise<void> {
    await this.shop.control('add.pressed', this.cards).click();
    await this.waitForGateway();
  }

  /**
   * Expects that the last card was added, and that neither the address nor the record of the visit
   * has its token.
   */
  async expectAdded(name: string): Promise<void> {
    await expect(this.news).toHaveText(`${name} has been added.`);
    await expect(this.news).toBeFocused();
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

/** How many cards the server has for the customer. */
const countCards = async (customer: Customer): Promise<number> =>
  (await (await customer.request('card/all')).text()).split('<Card>').length - 1;

/** Checks accessibility and touch targets. */
const expectAccessible = async (page: Page, what: string): Promise<void> => {
  expect([...(await seriousViolations(page, what)), ...(await seriousViolations(page, what, touchRules))]).toEqual([]);
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
  const { cards: part, lines, news } = account;
  await expect(part).toContainText('You haven’t saved any cards.');
  await keyboard.press(part.getByRole('button', { name: 'Add a card' }));
  await account.waitForGateway();
  await typeCard(page, cards.declined);
  await expect(account.errorMessage).toContainText('Your card was declined.');
  await expect(page.getByLabel('Card number')).toHaveValue('');
  await expect(page.getByLabel('Name on card')).toHaveValue('A Reader');
  await expectAccessible(page, 'a declined card');
  await typeCard(page, cards.good);
  await account.expectAdded('Visa ending in 4242');
  await expect(lines).toHaveCount(1);
  await expect(lines.first()).toContainText('Expires 12/34');
  await expect(lines.first()).toContainText('Default');
  await expectAccessible(page, 'a card that was added');

  await page.reload();
  await account.isShown();
  await expect(lines).toHaveCount(1);
  await expect(news).toHaveCount(0);

  await keyboard.press(part.getByRole('button', { name: 'Add a card' }));
  await account.waitForGateway();
  await typeCard(page, cards.challenged);
  await keyboard.press(page.getByRole('button', { name: 'Approve', exact: true }));
  await account.expectAdded('Visa ending in 3184');
  await expect(lines).toHaveCount(2);
  await keyboard.press(part.getByRole('button', { name: 'Use by default: Visa ending in 3184' }));
  await expect(news).toHaveText('Visa ending in 3184 is now used by default.');
  await expect(lines.first()).toContainText('Visa ending in 3184');

  const remove = part.getByRole('button', { name: 'Remove Visa ending in 3184' });
  await keyboard.press(remove);
  await expect(part.getByRole('group', { name: 'Remove Visa ending in 3184?' })).toBeFocused();
  await expectAccessible(page, 'the question about a card');
  await keyboard.press(part.getByRole('button', { name: 'Keep card' }));
  await expect(remove).toBeFocused();
  await page.keyboard.press('Enter');
  await keyboard.press(part.getByRole('button', { name: 'Remove card' }));
  await expect(news).toHaveText('Visa ending in 3184 has been removed.');
  await expect(news).toBeFocused();
  await expect(lines).toHaveCount(1);
  await expect(lines.first()).toContainText('Default');
  expect(await countCards(customer)).toBe(1);
  expect(await customer.countCharges()).toBe(0);
});

test('a customer who returns without a card sees no error, and can start again', async ({ page, account, customer }) => {
  await account.startAdding();
  await account.cancelAtGateway();
  await account.isShown();
  await expect(page.getByRole('alert')).toHaveCount(0);
  await account.startAdding();
  await page.goBack();
  await account.isShown();
  await expect(page.getByRole('alert')).toHaveCount(0);
  await account.startAdding();
  await account.shop.payByCard();
  await account.expectAdded('Visa ending in 4242');
  expect(await countCards(customer)).toBe(1);
});

test('Back and reload add no card twice, and lead out', async ({ page, account, customer }) => {
  await account.startAdding();
  await account.shop.payByCard();
  await account.expectAdded('Visa ending in 4242');
  await page.goBack();
  await account.isShown();
  await expect(page).toHaveURL(/\/account$/);
  await page.reload();
  await account.isShown();
  expect(await countCards(customer)).toBe(1);
  await expect(account.lines).toHaveCount(1);
});

test('a lost answer is requested again, and adds one card', async ({ page, account, customer, errors }) => {
  errors.allow(/ERR_|Failed to load resource/);
  await account.startAdding();
  let times = 0;
  await page.route('**/api/card/add?*', async (route) => {
    times += 1;
    if (times > 1) return route.fallback();
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

test('a session that ends at the gateway is signed in again, and the card is added', async ({
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

test('another customer’s token adds no card, and is not in the record of the visit', async ({
  page,
  shop,
  account,
  customer,
  errors,
}) => {
  errors.allow(/status of 409/);
  const stranger = await Customer.signUp(shop);
  const { url } = (await (await stranger.request('card/session', {}, {})).json()) as { url: string };
  const form = { number: cards.good, expiry: '12/34', cvc: '123', name: 'A Stranger' };
  const back = await fetch(url, { method: 'POST', body: new URLSearchParams(form), redirect: 'manual' });
  const token = new URL(back.headers.get('location') ?? '').searchParams.get('cardtoken') ?? '';
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
