import type { Page, Route } from '@playwright/test';
import { cards, type Customer, password } from '../browser/customer.ts';
import { CheckoutPage } from '../browser/checkout-page.ts';
import { createEmail } from '../browser/shop.ts';
import type { RunningShop } from '../shop/running-shop.ts';
import { runStoreCli } from '../store/command.ts';

/** Lets the visits modify the store that they run in. */
export const adminToken = 'a token of the recorder';

/**
 * The fixtures of a visit. `reads` waits for so many seconds, like a customer who reads or thinks.
 */
type Stage = { page: Page; customer: Customer; server: RunningShop; reads: (seconds: number) => Promise<void> };

/** A customer's visit, to be recorded in a real browser. */
export type Visit = {
  /** The name of its record in tests/traces. */
  name: string;
  /** Whether the customer is signed in from the start. */
  signedIn: boolean;
  play: (stage: Stage) => Promise<void>;
};

/** Types a word key by key, at human speed. */
const typeText = (page: Page, field: string, text: string): Promise<void> =>
  page.locator(`[name="${field}"]`).first().pressSequentially(text, { delay: 120 });

const buyAndRead = async ({ page, reads }: Stage): Promise<void> => {
  const checkout = new CheckoutPage(page);
  const { shop } = checkout;
  await page.goto('/id:1001');
  await reads(4);
  await shop.press('buy.pressed').click();
  await shop.isIn('purchase', 'ready');
  await shop.press('pay.pressed').click();
  await shop.isIn('signIn', 'asking');
  await page.getByRole('link', { name: /create an account/i }).click();
  await shop.signUp(createEmail());
  await checkout.isAtGateway();
  await reads(3);
  await shop.payByCard();
  await checkout.isPaid();
  await reads(1);
  await page.getByRole('main').getByRole('link', { name: 'My Library' }).click();
  await shop.isIn('library', 'shown');
  await reads(1);
  await shop.press('title.opened').click();
  await shop.flow('book').waitFor();
  await reads(3);
  await page.reload();
  await shop.flow('book').waitFor();
  await reads(4);
};

const declinedThenPaid = async ({ page, reads }: Stage): Promise<void> => {
  const checkout = new CheckoutPage(page);
  const { shop } = checkout;
  await page.goto('/');
  await reads(3);
  await typeText(page, 'search', 'keeper');
  await reads(1);
  await page.keyboard.press('Enter');
  await shop.isIn('catalogue', { shown: 'resting' });
  await reads(2);
  await page.locator('[data-flow="catalogue"] a[href^="/id:1001"]').first().click();
  await reads(5);
  await shop.press('buy.pressed').click();
  await shop.isIn('purchase', 'ready');
  await reads(2);
  await shop.press('pay.pressed').click();
  await shop.isIn('signIn', 'asking');
  await page.getByRole('link', { name: /create an account/i }).click();
  await reads(2);
  await shop.signUp(createEmail());
  await checkout.isAtGateway();
  await reads(6);
  await shop.payByCard(cards.declined);
  await checkout.refusal.waitFor();
  await reads(9);
  await shop.payByCard(cards.good);
  await checkout.isPaid();
  await reads(4);
  await shop.press('read.pressed').click();
  await shop.flow('book').waitFor();
  await reads(5);
};

const sessionEnded = async ({ page, customer, reads }: Stage): Promise<void> => {
  const checkout = new CheckoutPage(page);
  const { shop } = checkout;
  await page.goto('/id:1005');
  await reads(4);
  await shop.press('buy.pressed').click();
  await shop.isIn('purchase', 'ready');
  await reads(8);
  // Simulates that another device has signed the customer out everywhere.
  await page.evaluate(() => localStorage.setItem('id_token', 'a-token-that-has-ended'));
  await shop.press('pay.pressed').click();
  await shop.isIn('signIn', 'asking');
  await reads(5);
  await shop.signIn(customer.email, 'harbor light 22');
  await reads(6);
  await shop.signIn(customer.email, password);
  await checkout.isAtGateway();
  await reads(7);
  await checkout.cancelAtGateway();
  await shop.isIn('purchase', 'cancelled');
  await reads(3);
};

const networkGone = async ({ page, reads }: Stage): Promise<void> => {
  const checkout = new CheckoutPage(page);
  const { shop } = checkout;
  await page.goto('/id:1003');
  await reads(3);
  await shop.press('buy.pressed').click();
  await shop.isIn('purchase', 'ready');
  await reads(2);
  await shop.press('pay.pressed').click();
  await checkout.isAtGateway();
  await reads(5);
  let gone = false;
  const lost = async (route: Route): Promise<void> => {
    const confirms = route.request().url().includes('/confirm');
    // The confirmation reaches the server but its response is lost; all later calls fail.
    if (confirms && !gone) await route.fetch();
    gone ||= confirms;
    return gone ? route.abort() : route.fallback();
  };
  const calls = '**/api/**';
  await page.route(calls, lost);
  await shop.payByCard();
  await checkout.isPaying('unknown');
  await reads(4);
  await shop.press('status.pressed').click();
  await checkout.isPaying('unknown');
  await reads(12);
  await page.unroute(calls, lost);
  await checkout.isPaid();
  await reads(3);
};

/** A cart, a gift, a subscription and a code, each with its own end. */
const severalThings = async ({ page, server, reads }: Stage): Promise<void> => {
  const checkout = new CheckoutPage(page);
  const { shop } = checkout;
  const main = page.getByRole('main');
  await page.goto('/signup');
  await shop.isIn('signUp', 'asking');
  await reads(4);
  await shop.signUp(createEmail());
  await shop.isIn('landing', 'shown');
  await reads(2);

  for (const titleId of ['1022', '1023']) {
    await page.goto(`/id:${titleId}`);
    await reads(4);
    await main.getByRole('button', { name: 'Add to cart' }).click();
    await main.getByRole('link', { name: 'View cart' }).waitFor();
  }
  await main.getByRole('link', { name: 'View cart' }).click();
  await shop.isIn('cart', { shown: 'resting' });
  await reads(3);
  await main.getByRole('link', { name: 'Check out' }).click();
  await shop.isIn('purchase', 'ready');
  await reads(3);
  await shop.press('pay.pressed').click();
  await checkout.isAtGateway();
  await reads(4);
  await shop.payByCard();
  await checkout.isPaid();
  await reads(3);

  await page.goto('/title/gift?titleid=1007');
  await shop.isIn('purchase', 'writing');
  await reads(3);
  await shop.flow('purchase').locator('[name="name"]').fill('Béa Quai');
  await shop.flow('purchase').locator('[name="email"]').fill(createEmail());
  await shop.press('gift.submitted').click();
  await shop.isIn('purchase', 'ready');
  await reads(4);
  await server.stop();
  await shop.press('pay.pressed').click();
  await checkout.isPaying('unreachable');
  await reads(3);
  await server.start();
  await shop.press('retry.pressed').click();
  await checkout.isAtGateway();
  await reads(3);
  await checkout.cancelAtGateway();
  await shop.isIn('purchase', 'cancelled');
  await reads(3);

  await page.goto('/subscription/purchase?planid=yearly');
  await shop.isIn('purchase', 'ready');
  await reads(4);
  await shop.press('pay.pressed').click();
  await checkout.isAtGateway();
  await reads(3);
  await shop.payByCard();
  await shop.isIn('receipt', 'subscribed');
  await reads(3);

  await page.goto('/redeem');
  await reads(2);
  await typeText(page, 'code', 'DEMO-USED');
  await page.keyboard.press('Enter');
  await shop.isIn('redeem', 'refused');
  await reads(3);
  await page.locator('[name="code"]').fill('');
  await typeText(page, 'code', 'DEMO-TITLE');
  await page.keyboard.press('Enter');
  await shop.isIn('redeem', 'offered');
  await reads(2);
  await shop.press('redeem.pressed').click();
  await shop.isIn('redeem', 'redeemed');
  await reads(3);
};

const discountByCode = async ({ page, customer, reads }: Stage): Promise<void> => {
  const checkout = new CheckoutPage(page);
  const { shop } = checkout;
  await page.goto('/redeem');
  await reads(1);
  await typeText(page, 'code', 'DEMO-20-PERCENT');
  await page.keyboard.press('Enter');
  await shop.isIn('redeem', 'payable');
  await reads(2);
  await shop.press('continue.pressed').click();
  await shop.isIn('catalogue', { shown: 'resting' });
  await reads(2);
  await page.goto('/title/purchase?titleid=1001');
  await shop.isIn('purchase', 'ready');
  await reads(2);
  await shop.press('pay.pressed').click();
  await shop.isIn('signIn', 'asking');
  await shop.signIn(customer.email, password);
  await checkout.isAtGateway();
  await reads(2);
  await shop.payByCard();
  await checkout.isPaid();
  await reads(2);
  await page.goto('/title/purchase?titleid=1002');
  await shop.isIn('purchase', 'ready');
  await reads(2);
  await page.goto('/redeem/DEMO-20-PERCENT');
  await shop.isIn('redeem', 'redeemed');
  await reads(1);
};

const giftForCredits = async ({ page, customer, reads }: Stage): Promise<void> => {
  const { shop } = new CheckoutPage(page);
  await page.goto('/signin');
  await shop.isIn('signIn', 'asking');
  await shop.signIn(customer.email, password);
  await shop.isIn('landing', 'shown');
  await reads(2);
  await page.goto('/redeem/DEMO-CREDITS');
  await shop.isIn('redeem', 'offered');
  await reads(1);
  await shop.press('redeem.pressed').click();
  await shop.isIn('redeem', 'redeemed');
  await page.goto('/title/gift?titleid=1001');
  await shop.isIn('purchase', 'writing');
  await typeText(page, 'name', 'Béa Quai');
  await shop.flow('purchase').locator('[name="email"]').fill(createEmail());
  await shop.press('gift.submitted').click();
  await shop.isIn('purchase', 'ready');
  await page.locator('[data-event="credits.chosen"]').first().click();
  await reads(2);
  await shop.press('pay.pressed').click();
  await shop.isIn('receipt', 'shown');
  await reads(1);
};

/** The operator's commands that enable tax in the store. */
const taxes = [
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
  const said: string[] = [];
  const setting = { environment: { ADMIN_TOKEN: adminToken }, root: data, folder: data, out: () => {} };
  for (const command of taxes) {
    const args = [...command, '--store', 'harbour', '--shop', url];
    if ((await runStoreCli(args, { ...setting, err: (text) => said.push(text) })) !== 0) throw new Error(said.join(''));
  }
};

const taxShownAndPaid = async ({ page, server, reads }: Stage): Promise<void> => {
  const checkout = new CheckoutPage(page);
  const { shop } = checkout;
  await addTaxes(server);
  await page.goto('/title/purchase?titleid=1001');
  await shop.isIn('tax', 'choosing');
  await reads(2);
  await page.getByLabel('Country').selectOption({ label: 'United States' });
  await page.getByLabel('State or region').selectOption({ label: 'California' });
  await shop.isIn('tax', 'quoted');
  await reads(2);
  await page.getByLabel('Country').selectOption({ label: 'France' });
  await page.getByText('TVA (5.5%)').waitFor();
  await reads(2);
  await shop.press('pay.pressed').click();
  await checkout.isAtGateway();
  await reads(2);
  await shop.payByCard();
  await checkout.isPaid();
  await reads(1);
  await page.goto('/title/purchase?titleid=1002');
  await shop.isIn('tax', 'quoted');
  await reads(1);
};

export const visits: readonly Visit[] = [
  { name: 'buy-and-read', signedIn: false, play: buyAndRead },
  { name: 'declined-then-paid', signedIn: false, play: declinedThenPaid },
  { name: 'session-ended', signedIn: true, play: sessionEnded },
  { name: 'network-gone-while-paying', signedIn: true, play: networkGone },
  { name: 'several-things', signedIn: false, play: severalThings },
  { name: 'discount-by-code', signedIn: false, play: discountByCode },
  { name: 'gift-for-credits', signedIn: false, play: giftForCredits },
  // The last visit, since it enables tax in the store.
  { name: 'tax-shown-and-paid', signedIn: true, play: taxShownAndPaid },
];
