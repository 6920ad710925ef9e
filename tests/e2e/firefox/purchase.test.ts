import { createEmail } from '../../../tools/browser/shop.ts';
import { expect, testInFirefox } from './support/story.ts';

const book = 'The Keeper’s Third Log';

testInFirefox('a visitor finds a book, signs up on the way to the checkout, pays and has it in the library', async ({ view }) => {
  const { page } = view;
  await view.open('/');
  await view.followLink('eBooks');
  await view.waitForState('catalogue', { shown: 'resting' });
  await view.fill('::-p-aria([name="Search the shop"][role="combobox"])', 'keeper');
  await page.keyboard.press('Enter');
  await view.click('[data-flow="catalogue"] a[href^="/id:1001/"]');

  await view.press('buy.pressed');
  await view.waitForState('purchase', 'ready');
  await view.press('pay.pressed');
  await view.waitForState('signIn', 'asking');
  await view.followLink('Create an account');
  await view.fill('[name="name"]', 'A Reader');
  await view.fill('[name="email"]', createEmail());
  await view.fill('[name="password"]', 'harbour light 22');
  await view.click('[name="agree"]');
  await view.press('signUp.submitted');

  await view.payByCard();
  await view.waitForState('receipt', 'shown');
  await view.waitForPath('/title/purchase/success');
  expect(await view.readText('[data-flow="receipt"]')).toContain(book);

  await view.click('[data-flow="receipt"] a[href="/mylibrary"]');
  await view.waitForState('library', 'shown');
  expect(await view.readText('[data-flow="library"]')).toContain(book);
});
