/** Rules for every address of the shop, checked as a visitor and as a customer. */
import type { Page } from '@playwright/test';
import type { Address } from '../../../tools/shop/addresses.ts';
import { findSeriousViolations, readStructure, touchRules, waitUntilSettled } from '../pages/axe.ts';
import { frameParts, expectFrame } from '../../../tools/browser/frame.ts';
import { Customer } from '../../../tools/browser/customer.ts';
import { demoAddresses } from '../../../tools/shop/demo-addresses.ts';
import { measureHorizontalOverflow, openAndReadHeading } from '../pages/every-address.ts';
import { expect, test } from '../support/shop.ts';

/** Limit of a test, which loads dozens of pages and checks each. */
const timeoutMs = 240_000;

/** Error statuses that some addresses cause, for example 404 for an id that does not exist. */
const expectedErrors = /status of (?:400|401|404|409)/;

// Colours are final only when animations have ended.
test.use({ contextOptions: { reducedMotion: 'reduce' } });

/** Windows zoomed to 200%, and the narrowest phones. */
const smallViewports = [
  { width: 640, height: 450 },
  { width: 320, height: 640 },
];
const phone = { width: 390, height: 844 };
const defaultViewport = { width: 1366, height: 900 };

/**
 * Visits one address after the other and collects axe's findings; similar pages are analysed once.
 */
const visitAll = async (
  page: Page,
  addresses: readonly Address[],
  check: (address: Address, heading: string) => Promise<void>,
): Promise<void> => {
  const violations: string[] = [];
  const analysedStructures = new Set<string>();
  for (const address of addresses) {
    const { path } = address;
    await test.step(path, async () => {
      const heading = await openAndReadHeading(page, path);
      await waitUntilSettled(page, path);
      await check(address, heading);
      const structure = await readStructure(page);
      if (analysedStructures.has(structure)) return;
      analysedStructures.add(structure);
      violations.push(...(await findSeriousViolations(page, path)));
      await page.setViewportSize(phone);
      violations.push(...(await findSeriousViolations(page, `${path} on a phone`, touchRules)));
      await page.setViewportSize(defaultViewport);
    });
  }
  expect(violations, 'axe’s findings').toEqual([]);
};

/** Expects the frame to have all parts but those that the specification hides at this address. */
const expectSpecifiedFrame = (page: Page, { hides = [] }: Address): Promise<void> =>
  expectFrame(
    page,
    frameParts.filter((part) => !hides.includes(part)),
  );

/** Pages of one flow are the most similar: they are visited one after another. */
const addressesByFlow = demoAddresses.toSorted((a, b) => a.flow.localeCompare(b.flow));
const WALK_COUNT = 4;
const addressesPerWalk = Math.ceil(addressesByFlow.length / WALK_COUNT);
const walks = Array.from({ length: WALK_COUNT }, (_, index) =>
  addressesByFlow.slice(index * addressesPerWalk, (index + 1) * addressesPerWalk),
);

for (const [index, walkAddresses] of walks.entries()) {
  test(`every address has a complete screen for a visitor, or asks for sign-in, ${index + 1} of ${WALK_COUNT} [S2.login] [S6.visitor] [S2.frame/default]`, async ({
    page,
    errors,
  }) => {
    test.setTimeout(timeoutMs);
    errors.allow(expectedErrors);
    await visitAll(page, walkAddresses, async (address, heading) => {
      const { path, login, status } = address;
      if (login) expect([heading, new URL(page.url()).pathname]).toEqual(['Sign in', '/signin']);
      else if (status !== 404) expect(heading, path).not.toMatch(/Wrong Turn|Loading failed/);
      if (!login) await expectSpecifiedFrame(page, address);
      await expect(page.getByRole('main'), path).toHaveCount(1);
      await expect(page.getByRole('heading', { level: 1 }), path).toHaveCount(1);
      await expect(page.getByRole('banner'), path).toHaveCount(1);
      await expect(page.getByRole('contentinfo'), path).toHaveCount(1);
      for (const size of smallViewports) {
        await page.setViewportSize(size);
        await expect.poll(() => measureHorizontalOverflow(page), `pixels of ${path} beside ${size.width}`).toBeLessThanOrEqual(0);
      }
      await page.setViewportSize(defaultViewport);
    });
  });

  test(`every address has a complete screen for a customer, ${index + 1} of ${WALK_COUNT} [S6.customer] [S6.account]`, async ({
    page,
    context,
    shop,
    errors,
  }) => {
    test.setTimeout(timeoutMs);
    errors.allow(expectedErrors);
    const customer = await Customer.signUp(shop);
    const transId = await customer.buy('1001');
    await customer.buy('1016');
    await customer.signInBrowser(context);
    // A reflowable book and a PDF, which have separate readers.
    const instances = [await customer.fetchInstanceId('1001'), await customer.fetchInstanceId('1016')];
    // Addresses of this customer's purchases: those of the walk have ids that do not exist.
    const purchaseAddresses = walkAddresses.flatMap((address) => {
      const { path } = address;
      if (path.includes('success?transId=t1')) return [{ ...address, path: path.replace('t1', transId) }];
      if (path.includes('instanceid=i1'))
        return instances.map((instance) => ({ ...address, path: path.replace('i1', instance) }));
      return [];
    });
    await visitAll(page, [...walkAddresses, ...purchaseAddresses], async (address, heading) => {
      const { path, login, status } = address;
      if (status !== 404) expect(heading, path).not.toMatch(/Wrong Turn|Loading failed/);
      expect(new URL(page.url()).pathname, path).not.toMatch(/^\/sign(?:in|up)$/);
      // Without questions from the store, /questions redirects at once.
      const showsScreen = !path.includes('instanceid=i1') && path !== '/questions';
      if (login && showsScreen) await expectSpecifiedFrame(page, address);
    });
  });
}
