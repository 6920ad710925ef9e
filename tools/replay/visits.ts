import type { Page, Route } from '@playwright/test';
import { cards, type Customer, password } from '../browser/customer.ts';
import { CheckoutPage } from '../browser/checkout-page.ts';
import { createEmail } from '../browser/shop.ts';
import type { RunningShop } from '../shop/running-shop.ts';
import { runStoreCli } from '../store/command.ts';

/** The operator's token, with which visits modify their store. */
export const adminToken = 'a token of the recorder';

/**
 * The fixtures of a visit. `pause` waits some seconds, like a customer who reads or thinks.
 */
type VisitContext = { page: Page; customer: Customer; server: RunningShop; pause: (seconds: number) => Promise<void> };

/** A customer's visit, to be recorded in a real browser. */
export type Visit = {
  /** The name of its record in tests/traces. */
  name: string;
  /** Whether the customer is signed in from the start. */
  isSignedIn: boolean;
  play: (stage: VisitContext) => Promise<void>;
};

/** Types a text key by key, at human speed. */
const typeText = (page: Page, field: string, text: string): Promise<void> =>
  page.locator(`[name="${field}"]`).first().pressSequentially(text, { delay: 120 });

const buyAndRead = async ({ page, pause }: VisitContext): Promise<void> => {
  const checkout = new CheckoutPage(page);
  const { shop } = checkout;
  await page.goto('/id:1001');
  await pause(4);
  await shop.control('buy.pressed').click();
  await shop.waitForState('purchase', 'ready');
  await shop.control('pay.pressed').click();
  await shop.waitForState('signIn', 'asking');
  await page.getByRole('link', { name: /create an account/i }).click();
  await shop.signUp(createEmail());
  await checkout.waitForGateway();
  await pause(3);
  await shop.payByCard();
  await checkout.waitForReceipt();
  await pause(1);
  await page.getByRole('main').getByRole('link', { name: 'My Library' }).click();
  await shop.waitForState('library', 'shown');
  await pause(1);
  await shop.control('title.opened').click();
  await shop.flow('book').waitFor();
  await pause(3);
  await page.reload();
  await shop.flow('book').waitFor();
  await pause(4);
};

const declinedThenPaid = async ({ page, pause }: VisitContext): Promise<void> => {
  const checkout = new CheckoutPage(page);
  const { shop } = checkout;
  await page.goto('/');
  await pause(3);
  await typeText(page, 'search', 'keeper');
  await pause(1);
  await page.keyboard.press('Enter');
  await shop.waitForState('catalogue', { shown: 'resting' });
  await pause(2);
  await page.locator('[data-flow="catalogue"] a[href^="/id:1001"]').first().click();
  await pause(5);
  await shop.control('buy.pressed').click();
  await shop.waitForState('purchase', 'ready');
  await pause(2);
  await shop.control('pay.pressed').click();
  await shop.waitForState('signIn', 'asking');
  await page.getByRole('link', { name: /create an account/i }).click();
  await pause(2);
  await shop.signUp(createEmail());
  await checkout.waitForGateway();
  await pause(6);
  await shop.payByCard(cards.declined);
  await checkout.errorMessage.waitFor();
  await pause(9);
  await shop.payByCard(cards.good);
  await checkout.waitForReceipt();
  await pause(4);
  await shop.control('read.pressed').click();
  await shop.flow('book').waitFor();
  await pause(5);
};

const sessionEnded = async ({ page, customer, pause }: VisitContext): Promise<void> => {
  const checkout = new CheckoutPage(page);
  const { shop } = checkout;
  await page.goto('/id:1005');
  await pause(4);
  await shop.control('buy.pressed').click();
  await shop.waitForState('purchase', 'ready');
  await pause(8);
  // Simulates that another device has signed the customer out everywhere.
  await page.evaluate(() => localStorage.setItem('id_token', 'a-token-that-has-ended'));
  await shop.control('pay.pressed').click();
  await shop.waitForState('signIn', 'asking');
  await pause(5);
  await shop.signIn(customer.email, 'harbor light 22');
  await pause(6);
  await shop.signIn(customer.email, password);
  await checkout.waitForGateway();
  await pause(7);
  await checkout.cancelAtGateway();
  await shop.waitForState('purchase', 'cancelled');
  await pause(3);
};

const networkGone = async ({ page, pause }: VisitContext): Promise<void> => {
  const checkout = new CheckoutPage(page);
  const { shop } = checkout;
  await page.goto('/id:1003');
  await pause(3);
  await shop.control('buy.pressed').click();
  await shop.waitForState('purchase', 'ready');
  await pause(2);
  await shop.control('pay.pressed').click();
  await checkout.waitForGateway();
  await pause(5);
  let isNetworkDown = false;
  const loseResponse = async (route: Route): Promise<void> => {
    const isConfirmation = route.request().url().includes('/confirm');
    // The confirmation reaches the server but its response is lost; all later calls fail.
    if (isConfirmation && !isNetworkDown) await route.fetch();
    isNetworkDown ||= isConfirmation;
    return isNetworkDown ? route.abort() : route.fallback();
  };
  const calls = '**/api/**';
  await page.route(calls, loseResponse);
  await shop.payByCard();
  await checkout.waitForPaymentState('unknown');
  await pause(4);
  await shop.control('status.pressed').click();
  await checkout.waitForPaymentState('unknown');
  await pause(12);
  await page.unroute(calls, loseResponse);
  await checkout.waitForReceipt();
  await pause(3);
};

/** A cart, a gift, a subscription and a code, each with its own end. */
const severalPurchases = async ({ page, server, pause }: VisitContext): Promise<void> => {
  const checkout = new CheckoutPage(page);
  const { shop } = checkout;
  const main = page.getByRole('main');
  await page.goto('/signup');
  await shop.waitForState('signUp', 'asking');
  await pause(4);
  await shop.signUp(createEmail());
  await shop.waitForState('landing', 'shown');
  await pause(2);

  for (const titleId of ['1022', '1023']) {
    await page.goto(`/id:${titleId}`);
    await pause(4);
    await main.getByRole('button', { name: 'Add to cart' }).click();
    await main.getByRole('link', { name: 'View cart' }).waitFor();
  }
  await main.getByRole('link', { name: 'View cart' }).click();
  await shop.waitForState('cart', { shown: 'resting' });
  await pause(3);
  await main.getByRole('link', { name: 'Check out' }).click();
  await shop.waitForState('purchase', 'ready');
  await pause(3);
  await shop.control('pay.pressed').click();
  await checkout.waitForGateway();
  await pause(4);
  await shop.payByCard();
  await checkout.waitForReceipt();
  await pause(3);

  await page.goto('/title/gift?titleid=1007');
  await shop.waitForState('purchase', 'writing');
  await pause(3);
  await shop.flow('purchase').locator('[name="name"]').fill('Béa Quai');
  await shop.flow('purchase').locator('[name="email"]').fill(createEmail());
  await shop.control('gift.submitted').click();
  await shop.waitForState('purchase', 'ready');
  await pause(4);
  await server.stop();
  await shop.control('pay.pressed').click();
  await checkout.waitForPaymentState('unreachable');
  await pause(3);
  await server.start();
  await shop.control('retry.pressed').click();
  await checkout.waitForGateway();
  await pause(3);
  await checkout.cancelAtGateway();
  await shop.waitForState('purchase', 'cancelled');
  await pause(3);

  await page.goto('/subscription/purchase?planid=yearly');
  await shop.waitForState('purchase', 'ready');
  await pause(4);
  await shop.control('pay.pressed').click();
  await checkout.waitForGateway();
  await pause(3);
  await shop.payByCard();
  await shop.waitForState('receipt', 'subscribed');
  await pause(3);

  await page.goto('/redeem');
  await pause(2);
  await typeText(page, 'code', 'DEMO-USED');
  await page.keyboard.press('Enter');
  await shop.waitForState('redeem', 'refused');
  await pause(3);
  await page.locator('[name="code"]').fill('');
  await typeText(page, 'code', 'DEMO-TITLE');
  await page.keyboard.press('Enter');
  await shop.waitForState('redeem', 'offered');
  await pause(2);
  await shop.control('redeem.pressed').click();
  await shop.waitForState('redeem', 'redeemed');
  await pause(3);
};

const discountByCode = async ({ page, customer, pause }: VisitContext): Promise<void> => {
  const checkout = new CheckoutPage(page);
  const { shop } = checkout;
  await page.goto('/redeem');
  await pause(1);
  await typeText(page, 'code', 'DEMO-20-PERCENT');
  await page.keyboard.press('Enter');
  await shop.waitForState('redeem', 'payable');
  await pause(2);
  await shop.control('continue.pressed').click();
  await shop.waitForState('catalogue', { shown: 'resting' });
  await pause(2);
  await page.goto('/title/purchase?titleid=1001');
  await shop.waitForState('purchase', 'ready');
  await pause(2);
  await shop.control('pay.pressed').click();
  await shop.waitForState('signIn', 'asking');
  await shop.signIn(customer.email, password);
  await checkout.waitForGateway();
  await pause(2);
  await shop.payByCard();
  await checkout.waitForReceipt();
  await pause(2);
  await page.goto('/title/purchase?titleid=1002');
  await shop.waitForState('purchase', 'ready');
  await pause(2);
  await page.goto('/redeem/DEMO-20-PERCENT');
  await shop.waitForState('redeem', 'redeemed');
  await pause(1);
};

const giftForCredits = async ({ page, customer, pause }: VisitContext): Promise<void> => {
  const { shop } = new CheckoutPage(page);
  await page.goto('/signin');
  await shop.waitForState('signIn', 'asking');
  await shop.signIn(customer.email, password);
  await shop.waitForState('landing', 'shown');
  await pause(2);
  await page.goto('/redeem/DEMO-CREDITS');
  await shop.waitForState('redeem', 'offered');
  await pause(1);
  await shop.control('redeem.pressed').click();
  await shop.waitForState('redeem', 'redeemed');
  await page.goto('/title/gift?titleid=1001');
  await shop.waitForState('purchase', 'writing');
  await typeText(page, 'name', 'Béa Quai');
  await shop.flow('purchase').locator('[name="email"]').fill(createEmail());
  await shop.control('gift.submitted').click();
  await shop.waitForState('purchase', 'ready');
  await page.locator('[data-event="credits.chosen"]').first().click();
  await pause(2);
  await shop.control('pay.pressed').click();
  await shop.waitForState('receipt', 'shown');
  await pause(1);
};

/** The operator's commands that enable tax in the store. */
const taxCommands = [
  ['properties', 'set', '--set', 'EnableTax=true'],
  ['taxes', 'set', '--country', 'FR', '--name', 'TVA', '--percent', '5.5'],
  [
    'taxes',
    'set',
    '--country',
    'US',
    '--region',
    'CA',
    '--region-name',
    'California',
    '--name',
    'Sales tax',
    '--percent',
    '7.25',
  ],
];

const addTaxes = async ({ url, data }: RunningShop): Promise<void> => {
  const errors: string[] = [];
  const context = { environment: { ADMIN_TOKEN: adminToken }, root: data, folder: data, out: () => {} };
  for (const command of taxCommands) {
    const args = [...command, '--store', 'harbour', '--shop', url];
    if ((await runStoreCli(args, { ...context, err: (text) => errors.push(text) })) !== 0) throw new Error(errors.join(''));
  }
};

const taxShownAndPaid = async ({ page, server, pause }: VisitContext): Promise<void> => {
  const checkout = new CheckoutPage(page);
  const { shop } = checkout;
  await addTaxes(server);
  await page.goto('/title/purchase?titleid=1001');
  await shop.waitForState('tax', 'choosing');
  await pause(2);
  await page.getByLabel('Country').selectOption({ label: 'United States' });
  await page.getByLabel('State or region').selectOption({ label: 'California' });
  await shop.waitForState('tax', 'quoted');
  await pause(2);
  await page.getByLabel('Country').selectOption({ label: 'France' });
  await page.getByText('TVA (5.5%)').waitFor();
  await pause(2);
  await shop.control('pay.pressed').click();
  await checkout.waitForGateway();
  await pause(2);
  await shop.payByCard();
  await checkout.waitForReceipt();
  await pause(1);
  await page.goto('/title/purchase?titleid=1002');
  await shop.waitForState('tax', 'quoted');
  await pause(1);
};

export const visits: readonly Visit[] = [
  { name: 'buy-and-read', isSignedIn: false, play: buyAndRead },
  { name: 'declined-then-paid', isSignedIn: false, play: declinedThenPaid },
  { name: 'session-ended', isSignedIn: true, play: sessionEnded },
  { name: 'network-gone-while-paying', isSignedIn: true, play: networkGone },
  { name: 'several-things', isSignedIn: false, play: severalPurchases },
  { name: 'discount-by-code', isSignedIn: false, play: discountByCode },
  { name: 'gift-for-credits', isSignedIn: false, play: giftForCredits },
  // The last visit, since it enables tax in the store.
  { name: 'tax-shown-and-paid', isSignedIn: true, play: taxShownAndPaid },
];
