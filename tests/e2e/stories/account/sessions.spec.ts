import { Customer, password } from '../../../../tools/browser/customer.ts';
import { createEmail, ShopPage } from '../../../../tools/browser/shop.ts';
import { expect, test } from '../../support/shop.ts';

test('signing out in one tab signs out every tab [S4.restore] [S4.logout]', async ({ page, context, shop }) => {
  const customer = await Customer.signUp(shop);
  await customer.signInBrowser(context);
  await page.goto('/mylibrary');
  const libraryTab = new ShopPage(page);
  await libraryTab.waitForState('library', 'empty');
  const otherTab = new ShopPage(await context.newPage());
  await otherTab.page.goto('/');
  await otherTab.page.getByRole('button', { name: 'Account' }).click();
  await otherTab.control('signOut.pressed').click();
  await expect(otherTab.page.getByRole('link', { name: 'Sign in' }).first()).toBeVisible();

  await libraryTab.waitForState('signIn', 'asking');
  await expect(page.getByRole('link', { name: 'Sign in' }).first()).toBeVisible();
  expect(await page.evaluate(() => ['id_token', 'userid', 'emailid'].map((name) => localStorage.getItem(name)))).toEqual([
    null,
    null,
    null,
  ]);
  // A copied token no longer works.
  await expect.poll(async () => (await customer.request('user/validate')).status).toBe(401);
});

test('signing out removes the customer’s reading settings, playback settings and code from the browser', async ({
  page,
  context,
  shop,
}) => {
  const view = new ShopPage(page);
  const customer = await Customer.signUp(shop);
  for (const titleId of ['1005', '1019']) await customer.buy(titleId);
  await customer.signInBrowser(context);
  await page.goto('/');
  const otherTab = await context.newPage();
  await otherTab.goto('/');
  await otherTab.evaluate(() => sessionStorage.setItem('colophon.code', 'DEMO-20-PERCENT'));
  await page.goto(`/viewer?instanceid=${await customer.fetchInstanceId('1019')}`);
  await page.getByLabel('Speed').selectOption('1.5');
  await page.goto(`/viewer?instanceid=${await customer.fetchInstanceId('1005')}`);
  await view.flow('book').getByRole('button', { name: 'Reading settings' }).click();
  await page.getByRole('button', { name: 'Larger' }).click();
  const listStorageKeys = (): Promise<string[]> => page.evaluate(() => Object.keys(localStorage));
  await expect.poll(listStorageKeys).toEqual(expect.arrayContaining(['colophon.look', 'colophon.playback', 'id_token']));

  await page.goto('/');
  await page.getByRole('button', { name: 'Account' }).click();
  await view.control('signOut.pressed').click();
  await expect(page.getByRole('link', { name: 'Sign in' }).first()).toBeVisible();
  const customerKeys = /look|playback|token|userid|emailid|place\.|draft/;
  expect((await listStorageKeys()).filter((key) => customerKeys.test(key))).toEqual([]);
  await expect.poll(() => otherTab.evaluate(() => sessionStorage.getItem('colophon.code'))).toBeNull();

  const nextCustomer = await Customer.signUp(shop);
  await nextCustomer.buy('1019');
  await page.goto('/signin');
  await view.signIn(nextCustomer.email, password);
  await view.waitForState('landing', 'shown');
  await page.goto(`/viewer?instanceid=${await nextCustomer.fetchInstanceId('1019')}`);
  await expect(page.getByLabel('Speed')).toHaveValue('1');
});

test('a session that is not to be remembered lasts as long as its tab [S2.signin/remember]', async ({ page, context, shop }) => {
  const customer = await Customer.signUp(shop);
  const view = new ShopPage(page);
  await page.goto('/signin');
  await view.flow('signIn').getByRole('checkbox').uncheck();
  await view.signIn(customer.email, password);
  await view.waitForState('landing', 'shown');
  await page.reload();
  await expect(page.getByRole('button', { name: 'Account' })).toBeVisible();
  expect(await page.evaluate(() => localStorage.getItem('id_token'))).toBeNull();
  await page.close();

  const newTab = new ShopPage(await context.newPage());
  await newTab.page.goto('/mylibrary');
  await newTab.waitForState('signIn', 'asking');
});

test('a wrong password is reported and can be corrected; a known e-mail address leads to sign-in', async ({
  page,
  shop,
  errors,
}) => {
  errors.allow(/status of (401|409)/);
  const customer = await Customer.signUp(shop);
  const view = new ShopPage(page);
  await page.goto('/signup');
  await view.signUp(customer.email);
  await expect(view.flow('signUp')).toContainText('There’s already an account with this email address. Sign in instead.');
  await expect(view.flow('signUp').locator('[name="email"]')).toHaveValue(customer.email);

  await view
    .flow('signUp')
    .getByRole('link', { name: /sign in/i })
    .click();
  await view.signIn(customer.email, 'not the password');
  await expect(view.flow('signIn')).toContainText('email address or password is incorrect');
  await expect(view.flow('signIn').locator('[name="email"]')).toHaveValue(customer.email);
  await view.signIn(customer.email, password);
  await view.waitForState('landing', 'shown');
  await expect(page).toHaveURL('/');
});

test('invalid fields have a message beside them, the first has the focus, and nothing is sent', async ({ page }) => {
  const view = new ShopPage(page);
  const calls: string[] = [];
  page.on('request', (request) => calls.push(new URL(request.url()).pathname));
  await page.goto('/signup');
  const form = view.flow('signUp');
  const getField = (name: string) => form.locator(`[name="${name}"]`);
  await getField('name').fill('A Reader');
  await getField('email').fill('no address');
  await getField('password').fill('short');
  await view.control('signUp.submitted').click();
  await expect(getField('email')).toBeFocused();
  await expect(getField('email')).toHaveAccessibleDescription('This doesn’t look like an email address.');
  await expect(getField('password')).toHaveAccessibleDescription(/Use at least 8 characters\./);
  await expect(form).toContainText('Please agree to continue.');
  await expect(getField('name')).not.toHaveAttribute('aria-invalid', 'true');
  expect(calls).not.toContain('/api/user/signup');

  await getField('email').fill(createEmail());
  await getField('password').fill(password);
  await form.locator('[name="agree"]').check();
  await getField('password').press('Enter');
  await view.waitForState('landing', 'shown');
});

test('the library asks a visitor to sign in and then opens [S2.login] [S6.customer]', async ({ page, shop }) => {
  const customer = await Customer.signUp(shop);
  const view = new ShopPage(page);
  await page.goto('/');
  await page.getByRole('link', { name: 'My Library' }).first().click();
  await view.waitForState('signIn', 'asking');
  await view.signIn(customer.email, password);
  await view.waitForState('library', 'empty');
  await expect(page).toHaveURL('/mylibrary');
  await page.goBack();
  await view.waitForState('landing', 'shown');
});

test('a sample asks a visitor to sign up and then opens [S2.login-sample]', async ({ page }) => {
  const view = new ShopPage(page);
  await page.goto('/id:1005');
  await view.control('sample.pressed').click();
  await view.waitForState('signUp', 'asking');
  await expect(page).toHaveURL(/^[^?]*\/signup\?return=/);
  await view.signUp(createEmail());
  await expect(view.control('turn.pressed', view.flow('book'))).toBeEnabled();
  await expect(page).toHaveURL('/viewer?instanceid=1005&sample=1');
  await view.control('close.pressed').click();
  await expect(page).toHaveURL(/\/id:1005/);
});

test('a bought book continues where its sample was left', async ({ page, context, shop }) => {
  const view = new ShopPage(page);
  const customer = await Customer.signUp(shop);
  await customer.signInBrowser(context);
  const book = view.flow('book');
  const readFooter = (): Promise<string> => book.locator('footer').innerText();
  await page.goto('/viewer?instanceid=1005&sample=1');
  const nextButton = book.locator('[data-event="turn.pressed"][data-value="next"]');
  for (let turns = 0; turns < 3; turns += 1) {
    await expect(nextButton).toBeEnabled();
    const footerBefore = await readFooter();
    await nextButton.click();
    await expect.poll(readFooter).not.toBe(footerBefore);
  }
  const [, chapter] = /^(.*?)\n/.exec(await readFooter()) ?? [];
  await view.control('close.pressed').click();
  await expect(page).toHaveURL(/\/id:1005/);
  await customer.buy('1005');
  await page.goto(`/viewer?instanceid=${await customer.fetchInstanceId('1005')}`);
  await expect(nextButton).toBeEnabled();
  await expect.poll(() => view.readProgress()).toBeGreaterThan(0);
  expect(await readFooter()).toContain(chapter);
});
