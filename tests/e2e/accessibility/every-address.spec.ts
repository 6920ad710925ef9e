/** Rules for every address of the shop, checked in one walk as a visitor and one as a customer. */
import type { Page } from '@playwright/test';
import type { Address } from '../../../tools/shop/addresses.ts';
import { seriousViolations, structureOf, touchRules, waitUntilSettled } from '../pages/axe.ts';
import { frameParts, expectFrame } from '../../../tools/browser/frame.ts';
import { Customer } from '../../../tools/browser/customer.ts';
import { everyAddress } from '../../../tools/shop/demo-addresses.ts';
import { beside, headingAt } from '../pages/every-address.ts';
import { expect, test } from '../support/shop.ts';

/** Dozens of page loads, each looked at from many sides. */
const many = 240_000;

/** Answers of the server that belong to what is visited: nobody is signed in, or there is no such thing. */
const answers = /status of (?:400|401|404|409)/;

// While something moves, its colours are not final.
test.use({ contextOptions: { reducedMotion: 'reduce' } });

/** Windows that are zoomed to 200%, and of the narrowest telephones. */
const small = [
  { width: 640, height: 450 },
  { width: 320, height: 640 },
];
const phone = { width: 390, height: 844 };
const usual = { width: 1366, height: 900 };

/** One address after the other; what axe finds is gathered, once for pages that are alike. */
const walk = async (
  page: Page,
  addresses: readonly Address[],
  look: (address: Address, heading: string) => Promise<void>,
): Promise<void> => {
  const found: string[] = [];
  const seen = new Set<string>();
  for (const address of addresses) {
    const { path } = address;
    await test.step(path, async () => {
      const heading = await headingAt(page, path);
      await waitUntilSettled(page, path);
      await look(address, heading);
      const structure = await structureOf(page);
      if (seen.has(structure)) return;
      seen.add(structure);
      found.push(...(await seriousViolations(page, path)));
      await page.setViewportSize(phone);
      found.push(...(await seriousViolations(page, `${path} on a phone`, touchRules)));
      await page.setViewportSize(usual);
    });
  }
  expect(found, 'what axe finds').toEqual([]);
};

/** The frame leaves out the parts that the specification's table says. */
const hasItsFrame = (page: Page, { hides = [] }: Address): Promise<void> =>
  expectFrame(
    page,
    frameParts.filter((part) => !hides.includes(part)),
  );

/** Pages of one flow are the most alike: they are walked one after another. */
const byFlow = everyAddress.toSorted((a, b) => a.flow.localeCompare(b.flow));
const WALKS = 4;
const each = Math.ceil(byFlow.length / WALKS);
const walks = Array.from({ length: WALKS }, (_, at) => byFlow.slice(at * each, (at + 1) * each));

for (const [at, visited] of walks.entries()) {
  test(`every address has a whole screen for a visitor, or asks for sign-in, ${at + 1} of ${WALKS} [S2.login] [S6.visitor] [S2.frame/default]`, async ({
    page,
    errors,
  }) => {
    test.setTimeout(many);
    errors.allow(answers);
    await walk(page, visited, async (address, heading) => {
      const { path, login, status } = address;
      if (login) expect([heading, new URL(page.url()).pathname]).toEqual(['Sign in', '/signin']);
      else if (status !== 404) expect(heading, path).not.toMatch(/Wrong Turn|Loading failed/);
      if (!login) await hasItsFrame(page, address);
      await expect(page.getByRole('main'), path).toHaveCount(1);
      await expect(page.getByRole('heading', { level: 1 }), path).toHaveCount(1);
      await expect(page.getByRole('banner'), path).toHaveCount(1);
      await expect(page.getByRole('contentinfo'), path).toHaveCount(1);
      for (const size of small) {
        await page.setViewportSize(size);
        await expect.poll(() => beside(page), `pixels of ${path} beside ${size.width}`).toBeLessThanOrEqual(0);
      }
      await page.setViewportSize(usual);
    });
  });

  test(`and one for a customer, ${at + 1} of ${WALKS} [S6.customer] [S6.account]`, async ({ page, context, shop, errors }) => {
    test.setTimeout(many);
    errors.allow(answers);
    const customer = await Customer.signUp(shop);
    const transId = await customer.buys('1001');
    await customer.buys('1016');
    await customer.uses(context);
    // A book of reflowable text and a PDF, which have readers of their own.
    const instances = [await customer.instanceOf('1001'), await customer.instanceOf('1016')];
    // Addresses of what this customer owns, beside those that name what nobody has.
    const own = visited.flatMap((address) => {
      const { path } = address;
      if (path.includes('success?transId=t1')) return [{ ...address, path: path.replace('t1', transId) }];
      if (path.includes('instanceid=i1'))
        return instances.map((instance) => ({ ...address, path: path.replace('i1', instance) }));
      return [];
    });
    await walk(page, [...visited, ...own], async (address, heading) => {
      const { path, login, status } = address;
      if (status !== 404) expect(heading, path).not.toMatch(/Wrong Turn|Loading failed/);
      expect(new URL(page.url()).pathname, path).not.toMatch(/^\/sign(?:in|up)$/);
      // Whom the store has nothing to ask goes on at once.
      const stays = !path.includes('instanceid=i1') && path !== '/questions';
      if (login && stays) await hasItsFrame(page, address);
    });
  });
}
