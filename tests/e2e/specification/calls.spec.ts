import { test as base, expect, type Page } from '@playwright/test';
import { sentParts, type SentCall, type SentPart } from '../../../tools/spec/sent-calls.ts';
import { createEmail, ShopPage } from '../../../tools/browser/shop.ts';
import { watchErrors, type PageErrors } from '../support/errors.ts';
import { isbn } from '../support/specification/documents.ts';
import { expectedStoryValues, readSentValues, type Values } from '../support/specification/sent-values.ts';
import { startSpecificationServer, type ReceivedCall, type SpecificationServer } from '../support/specification/server.ts';
import type { Customer } from '../support/specification/state.ts';
import { createCustomer, password, pressPay, signIn, writeGift } from '../support/specification/test.ts';

/**
 * Customers use the whole shop on one server that implements the specification alone; then each
 * call must be among the page's calls, each parameter of the specification with the value that the
 * story produces. The tests run in order, and the last ones check the calls of the earlier ones.
 */
type WorkerFixtures = { server: SpecificationServer };
const test = base.extend<{ shop: ShopPage; errors: PageErrors; customer: Customer }, WorkerFixtures>({
  server: [
    async ({}, use) => {
      const server = await startSpecificationServer({
        properties: {
          EnableTax: 'True',
          EnableMblurb: 'True',
          EnableBuyWithCredits: 'True',
          CreditCurrency: 'Pearls',
          PurchaseCountries: 'AT',
        },
        config: { coralHost: 'https://comments.example', paymentMethods: ['wallet'] },
      });
      await use(server);
      await server.close();
    },
    { scope: 'worker' },
  ],
  baseURL: async ({ server }, use) => use(server.url),
  shop: async ({ page }, use) => use(new ShopPage(page)),
  customer: async ({ page, server }, use) => {
    const customer = createCustomer(server);
    await signIn(page, server, customer);
    await use(customer);
  },
  errors: [
    async ({ context }, use) => {
      const errors = watchErrors(context);
      // Calls beyond the specification, and the comments service, are missing.
      errors.allow(/status of 404/);
      errors.allow(/comments\.example/);
      await use(errors);
      expect(errors.getUnexpected(), 'errors of the page that no test allowed').toEqual([]);
    },
    { auto: true },
  ],
});

test.describe.configure({ mode: 'serial' });

test.beforeEach(async ({ context }) => {
  await context.route('https://comments.example/**', (route) => route.fulfill({ contentType: 'text/javascript', body: '' }));
});

const expectCall = (server: SpecificationServer, call: string, query: Record<string, string> = {}): Promise<void> =>
  expect
    .poll(() => server.receivedCalls.filter((each) => each.call === call).map((each) => each.query), { message: call })
    .toContainEqual(expect.objectContaining(query));

/** Pays on the gateway's page and waits for the receipt. */
const payAndExpectReceipt = async (page: Page, shop: ShopPage): Promise<void> => {
  await shop.control('pay.pressed').click();
  await pressPay(page);
  await shop.waitForState('receipt', 'shown');
};

test('a visitor browses titles, categories, a page and a plan', async ({ page, server, shop }) => {
  await page.goto('/');
  await shop.waitForState('landing', 'shown');
  await page.goto(`/isbn:${isbn}`);
  await expect(page.getByRole('heading', { level: 1, name: 'Salt Roads' })).toBeVisible();
  await expectCall(server, 'titles/4/related');
  await page.goto('/all');
  await expect(shop.flow('catalogue')).toContainText('The Tide Clock');
  await page.getByRole('navigation', { name: 'Categories' }).getByRole('link', { name: 'Stories' }).click();
  await expectCall(server, 'categories', { categoryid: '10' });
  await page.goto('/pages/public/help');
  await expect(page.getByText('Write to us.')).toBeVisible();
  await page.goto('/subscription?planid=gold');
  await shop.waitForState('subscription', 'offered');
});

test('a visitor creates an account, forgets the password and sets a new one', async ({ page, server, shop }) => {
  const email = createEmail();
  await page.goto('/signup');
  await shop.waitForState('signUp', 'asking');
  await shop.signUp(email);
  await expectCall(server, 'user/signup');
  const customer = server.state.findByEmail(email);
  await page.context().clearCookies();
  await page.goto('/forgotpassword');
  await shop.flow('forgotPassword').locator('[name="email"]').fill(email);
  await shop.control('request.submitted').click();
  await expect.poll(() => [...server.state.resetTokens.values()]).toContain(customer);
  await page.goto(`/resetpassword/${[...server.state.resetTokens.keys()].at(-1) ?? ''}`);
  const form = shop.flow('resetPassword');
  await form.locator('[name="password"]').fill('a quay of one’s own');
  await form.locator('[name="again"]').fill('a quay of one’s own');
  await shop.control('password.submitted', form).click();
  await expect.poll(() => customer?.password).toBe('a quay of one’s own');
});

test('a customer signs in by the form, and is still signed in on another page', async ({ page, server, shop }) => {
  const customer = createCustomer(server);
  await page.goto('/signin');
  await shop.signIn(customer.email, password);
  await expectCall(server, 'user/signin');
  await page.goto('/account');
  await expectCall(server, 'user/validate');
});

test('a customer changes details, devices and cards in the account', async ({ page, server, shop, customer }) => {
  await page.goto('/account');
  const details = shop.flow('details');
  await details.locator('[name="name"]').fill('Another Reader');
  await shop.control('details.submitted', details).click();
  await expect.poll(() => customer.name).toBe('Another Reader');
  await shop.control('remove.pressed', shop.flow('devices')).click();
  await expect.poll(() => customer.devices).toEqual([]);
  const cards = shop.flow('cards');
  for (const number of ['4242 4242 4242 4242', '5555 5555 5555 4444']) {
    await shop.control('add.pressed', cards).click();
    await cards.locator('[name="cardNumber"]').fill(number);
    await cards.locator('[name="cardExpiry"]').fill('12/34');
    await cards.locator('[name="cardCode"]').fill('123');
    await cards.locator('[name="cardName"]').fill('A Reader');
    await shop.control('card.submitted', cards).click();
    await shop.waitForState('cards', { shown: 'whole' });
  }
  await shop.control('default.pressed', cards).click();
  await expect.poll(() => customer.cards.find(({ isDefault }) => isDefault)?.last4).toBe('4444');
  await shop.control('remove.pressed', cards).click();
  await shop.control('removal.confirmed', cards).click();
  await expect.poll(() => customer.cards).toHaveLength(1);
  await expectCall(server, 'credits/balance');
});

test('a title is bought on the gateway’s page with a code and with tax', async ({ page, server, shop, customer }) => {
  await page.goto('/title/purchase?titleid=4&code=A-FIFTH-OFF');
  await shop.waitForState('purchase', 'ready');
  await expect(shop.flow('purchase')).toContainText('€4.80');
  await payAndExpectReceipt(page, shop);
  expect(customer.owned).toEqual(['4']);
  await expectCall(server, 'payment/session', { code: 'A-FIFTH-OFF', price: '4', currency: 'EUR', method: 'card' });
  await expectCall(server, 'tax', { titleid: '4', price: '4' });
});

test('a purchase by a saved card sends the billing address of the card', async ({ page, server, shop, customer }) => {
  customer.cards.push({ id: 'card-1', last4: '4242', isDefault: true });
  await page.goto('/title/purchase?titleid=4&code=A-FIFTH-OFF');
  await shop.waitForState('purchase', 'ready');
  await shop.control('pay.pressed').click();
  await shop.waitForState('receipt', 'shown');
  await expectCall(server, 'purchase/title', { cardId: 'card-1', RedeemPin: 'A-FIFTH-OFF', country: 'AT' });
  await expectCall(server, 'purchase/title/confirm', {
    cardCity: 'Linz',
    RedeemPin: 'A-FIFTH-OFF',
    country: 'AT',
    taxPrice: '0.8',
  });
});

test('a title is bought as a gift', async ({ page, server, shop, customer }) => {
  await page.goto('/title/gift?titleid=4');
  await writeGift(shop);
  await payAndExpectReceipt(page, shop);
  expect(customer.gifts).toHaveLength(1);
  await expectCall(server, 'purchase/info', { isgift: 'true' });
});

test('a title is bought with credits, a free title without payment', async ({ page, server, shop, customer }) => {
  customer.credits = 3;
  await page.goto('/title/purchase?titleid=5');
  await shop.waitForState('purchase', 'ready');
  await shop.control('credits.chosen').check();
  await shop.control('pay.pressed').click();
  await shop.waitForState('receipt', 'shown');
  expect(customer.credits).toBe(1);
  await page.goto('/id:1');
  await page.getByRole('button', { name: 'Get it for free' }).click();
  await expect.poll(() => customer.owned).toContain('1');
  await expectCall(server, 'purchase/free');
});

test('codes grant a title or a chosen title, and offer a month of a subscription', async ({ page, server, shop, customer }) => {
  await page.goto('/redeem/ONE-TITLE');
  await shop.waitForState('redeem', 'offered');
  await shop.control('redeem.pressed').click();
  await shop.waitForState('redeem', 'redeemed');
  await page.goto('/redeem/ONE-OF-TWO');
  await shop.waitForState('redeem', 'choosing');
  await page.getByRole('button', { name: 'Choose: The Tide Clock' }).click();
  await shop.control('redeem.pressed').click();
  await shop.waitForState('redeem', 'redeemed');
  expect(customer.owned.toSorted()).toEqual(['4', '5']);
  await expectCall(server, 'redeem/titles', { RedeemPin: 'ONE-OF-TWO' });
  await page.goto('/redeem/A-MONTH');
  await shop.waitForState('redeem', 'offered');
});

test('a cart is filled from a campaign with a code, emptied, and paid for', async ({ page, server, shop, customer }) => {
  await page.goto('/campaign/spring');
  const campaign = shop.flow('campaign');
  await campaign.locator('[data-event="title.added"]').first().click();
  await expect.poll(() => customer.cart).toEqual(['4']);
  await page.goto('/purchase');
  await shop.waitForState('cart', { shown: 'resting' });
  const cart = shop.flow('cart');
  await cart.locator('[name="code"]').fill('A-FIFTH-OFF');
  await shop.control('code.submitted', cart).click();
  await expectCall(server, 'cart/titles', { code: 'A-FIFTH-OFF' });
  await expect.poll(() => page.evaluate(() => sessionStorage.getItem('colophon.code'))).toBe('A-FIFTH-OFF');
  await page.goto('/campaign/spring');
  await campaign.locator('[data-event="title.added"][data-value="5"]').click();
  await expectCall(server, 'cart/add', { code: 'A-FIFTH-OFF', campaignId: 'spring' });
  await page.goto('/purchase');
  await shop.control('title.removed', cart.locator('[data-line]').first()).click();
  await expectCall(server, 'cart/remove', { code: 'A-FIFTH-OFF', campaignId: 'spring' });
  await page.locator('[data-campaign="spring"] [data-event="title.removed"]').click();
  await expectCall(server, 'cart/removeCampaign', { code: 'A-FIFTH-OFF', campaignId: 'spring' });
  await page.goto('/id:5');
  await page.getByRole('main').getByRole('button', { name: 'Add to cart' }).click();
  await expect.poll(() => customer.cart).toContain('5');
  await page.goto('/cart/checkout');
  await shop.waitForState('purchase', 'ready');
  await payAndExpectReceipt(page, shop);
  await expectCall(server, 'checkout/cart/session', { code: 'A-FIFTH-OFF', method: 'card' });
});

test('a cart is bought as a gift', async ({ page, shop, customer }) => {
  customer.cart.push('4', '5');
  await page.goto('/cart/gift');
  await writeGift(shop);
  await payAndExpectReceipt(page, shop);
  expect(customer.gifts).toHaveLength(1);
});

test('a customer subscribes on the gateway’s page with a code, changes the plan, and cancels', async ({
  page,
  server,
  shop,
  customer,
}) => {
  await page.goto('/subscription/purchase?planid=gold&code=A-MONTH');
  await shop.waitForState('purchase', 'ready');
  await shop.control('pay.pressed').click();
  await pressPay(page);
  await shop.waitForState('receipt', 'subscribed');
  await page.goto('/subscription');
  await shop.waitForState('subscription', 'subscribed');
  await shop.control('change.pressed').click();
  await shop.control('change.confirmed').click();
  await expectCall(server, 'customer/portal/session', { upgradeplan: 'plain' });
  await expect(page.getByRole('heading', { name: 'Your subscription' })).toBeVisible();
  await page.goto('/account');
  const ownSubscription = shop.flow('ownSubscription');
  await shop.control('cancel.pressed', ownSubscription).click();
  await shop.control('cancellation.confirmed', ownSubscription).click();
  await expect.poll(() => customer.planId).toBeNull();
});

test('a customer subscribes by a saved card, with a code', async ({ page, server, shop, customer }) => {
  customer.cards.push({ id: 'card-1', last4: '4242', isDefault: true });
  await page.goto('/subscription/purchase?planid=gold&code=A-MONTH');
  await shop.waitForState('purchase', 'ready');
  await shop.control('pay.pressed').click();
  await shop.waitForState('receipt', 'subscribed');
  expect(customer.planId).toBe('gold');
  await expectCall(server, 'subscription/purchase', { cardId: 'card-1', code: 'A-MONTH', planId: 'gold' });
});

test('a customer returns from Razorpay with a signature', async ({ page, server, shop, customer }) => {
  await page.goto('/title/purchase?titleid=4');
  await shop.waitForState('purchase', 'ready');
  await shop.control('pay.pressed').click();
  await expect(page).toHaveURL(/\/pay\/T\d+$/);
  const [id = ''] = /T\d+$/.exec(page.url()) ?? [];
  const transaction = server.state.transactions.get(id);
  if (transaction) transaction.status = 'authorized';
  await page.goto(
    `/checkout/complete?transId=${id}&razorpay_payment_id=pay_1&razorpay_order_id=order_1&razorpay_signature=signed`,
  );
  await shop.waitForState('receipt', 'shown');
  expect(customer.owned).toEqual(['4']);
  await expectCall(server, 'razorpay/verify', { paymentId: 'pay_1', subscriptionId: 'order_1', sign: 'signed' });
});

test('a customer opens a sample and a book, and the position in the book is saved', async ({ page, server, shop, customer }) => {
  customer.owned.push('1');
  await page.goto('/viewer?instanceid=4&sample=1');
  await expectCall(server, 'viewer/components', { sample: 'true' });
  await expectCall(server, 'viewer/url', { sample: 'true' });
  await page.goto('/mylibrary');
  await shop.control('title.opened').click();
  await expect(shop.control('turn.pressed', shop.flow('book'))).toBeEnabled();
  await page.getByRole('button', { name: /next page/i }).click();
  await expect.poll(() => shop.readProgress()).toBeGreaterThan(0);
  await shop.control('close.pressed').click();
  await expect.poll(() => customer.positions.size).toBe(1);
  await page.goto('/id:1');
  await page.locator('[data-in-view="comments"]').scrollIntoViewIfNeeded();
  await expectCall(server, 'coral/token');
});

test('a customer deletes the account', async ({ page, server, shop, customer }) => {
  await page.goto('/account');
  const deletion = shop.flow('deletion');
  await shop.control('delete.pressed', deletion).click();
  await deletion.locator('[name="password"]').fill(password);
  await shop.control('deletion.submitted', deletion).click();
  await expect.poll(() => server.state.findByEmail(customer.email)).toBeUndefined();
});

/** Distinct values as sorted JSON texts: neither their order nor that of their names matters. */
const sortValues = (values: readonly Values[]): string[] =>
  [...new Set(values.map((each) => JSON.stringify(Object.entries(each).toSorted(([a], [b]) => a.localeCompare(b)))))].toSorted();

const findCalls = (
  { receivedCalls }: SpecificationServer,
  { row, path = new RegExp(`^${row}$`), method }: SentCall,
): ReceivedCall[] => receivedCalls.filter((each) => each.method === (method ?? 'GET') && path.test(each.call));

/** Whether a received call has a part of the specification; values are compared below. */
const matchesPart = ({ state }: SpecificationServer, part: SentPart, call: ReceivedCall): boolean => {
  switch (part.kind) {
    case 'call':
      return true;
    case 'query':
    case 'body':
      return readSentValues(part.call, call, state)[part.name] !== undefined;
    case 'basic': {
      const [email = '', ...passwordParts] = atob(call.authorization.replace('Basic ', '')).split(':');
      return state.findByEmail(email) !== undefined && passwordParts.join(':') === password;
    }
    case 'bearer':
      return state.tokens.has(call.authorization.replace('Bearer ', ''));
  }
};

test('the page has sent every call of the specification, with every parameter', ({ server }) => {
  const missingParts = sentParts.filter((part) => !findCalls(server, part.call).some((each) => matchesPart(server, part, each)));
  expect(missingParts.map(({ id }) => id)).toEqual([]);
});

test('each call carries the values of its story, and no others', ({ server }) => {
  const calls = new Set(sentParts.flatMap((part) => ('name' in part ? [part.call] : [])));
  const sentValues = Object.fromEntries(
    [...calls].map((call) => [
      call.row,
      sortValues(findCalls(server, call).map((each) => readSentValues(call, each, server.state))),
    ]),
  );
  expect(sentValues).toEqual(
    Object.fromEntries(Object.entries(expectedStoryValues).map(([row, values]) => [row, sortValues(values)])),
  );
});

test('each call names the store [S7.store-id]', ({ server }) => {
  expect(server.receivedCalls.filter(({ query }) => query['storeid'] !== '77')).toEqual([]);
});
