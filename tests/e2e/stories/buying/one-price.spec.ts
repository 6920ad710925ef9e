import type { Page } from '@playwright/test';
import { CheckoutPage } from '../../../../tools/browser/checkout-page.ts';
import { createEmail } from '../../../../tools/browser/shop.ts';
import { expect, test } from '../../support/shop.ts';

test.use({ locale: 'de-DE' });

/** A title that is sold for $14.99 and for €13.50. */
const book = 'The Wend';

const readPrices = async (page: Page, container = page.getByRole('main')): Promise<string[]> => {
  const text = (await container.innerText()).replaceAll(/\s/g, ' ');
  return [...new Set([...text.matchAll(/[$€] ?1[34][.,]\d\d|1[34][.,]\d\d ?[$€]/g)].map(([price]) => price))];
};

for (const { language, price } of [
  { language: 'en', price: '$14.99' },
  { language: 'it', price: '13,50 €' },
])
  test(`a German browser with the shop in “${language}” shows ${price} from the list to the receipt`, async ({ page }) => {
    const checkoutPage = new CheckoutPage(page);
    await page.goto('/all?search=wend');
    await checkoutPage.shop.control('language.chosen').selectOption(language);
    await expect(page.locator(`html[lang="${language}"]`)).toBeAttached();
    const card = page.getByRole('main').getByRole('link', { name: book });
    await expect(card).toBeVisible();
    expect(await readPrices(page, card)).toEqual([price]);

    await checkoutPage.shop.openTitle(book);
    expect(await readPrices(page)).toEqual([price]);
    await expect(checkoutPage.shop.control('buy.pressed')).toContainText(price.slice(0, 5));

    await checkoutPage.shop.control('buy.pressed').click();
    await checkoutPage.shop.waitForState('purchase', 'ready');
    expect(await readPrices(page)).toEqual([price]);

    await checkoutPage.shop.control('pay.pressed').click();
    await checkoutPage.shop.waitForState('signIn', 'asking');
    await page.locator('a[href^="/signup"]').first().click();
    await checkoutPage.shop.signUp(createEmail());
    await expect(page).toHaveURL(/\/pay\//);
    expect(await readPrices(page)).toEqual([price]);

    await page.locator('[name="number"]').fill('4242 4242 4242 4242');
    await page.locator('[name="expiry"]').fill('12/34');
    await page.locator('[name="cvc"]').fill('123');
    await page.locator('[name="name"]').fill('A Reader');
    await page.locator('button[type="submit"], button:not([type])').first().click();
    await checkoutPage.waitForReceipt();
    expect(await readPrices(page)).toEqual([price]);
  });
