import { openAndReadHeading } from '../../pages/every-address.ts';
import { expect, test } from '../../support/shop.ts';

const longText = 'x'.repeat(10_000);
const manyParameters = Array.from({ length: 2_000 }, (_, index) => `p${index}=${index}`).join('&');

/** Malformed addresses, and the expected main heading of each. */
const hostilePaths: [path: string, heading: RegExp][] = [
  [`/id:${longText}`, /We don’t have that title/],
  ['/id:%E0%A4%A', /We don’t have that title/],
  ['/id:%00', /We don’t have that title/],
  ['/id:__proto__/constructor', /We don’t have that title/],
  ['/id:%E2%80%AE%E2%80%AE', /We don’t have that title/],
  ['/id:', /Wrong Turn/],
  ['/%2e%2e/%2e%2e/etc/passwd', /Wrong Turn/],
  ['/all//x', /Wrong Turn/],
  [`/${longText}`, /Wrong Turn/],
  [`/all/${longText}`, /We couldn’t find that category/],
  ['/pages/public/constructor', /We couldn’t find that page/],
  [`/campaign/${encodeURIComponent('"><script>alert(1)</script>')}`, /We couldn’t find that offer/],
  [`/redeem/${encodeURIComponent("'; drop table codes; --")}`, /This code can’t be redeemed/],
  [`/about?${manyParameters}`, /About|Harbour/],
  ['/terms?lang=xx&lang=%00&__proto__=1&%=%', /Terms/],
  ['/viewer?instanceid=..%2F..%2Fetc&sample', /Create your account/],
];

test('malformed addresses show the matching page, or the not-found page', async ({ page, errors }) => {
  test.setTimeout(120_000);
  errors.allow(/status of (?:401|404|414|431)/);
  for (const [path, heading] of hostilePaths) expect(await openAndReadHeading(page, path), path.slice(0, 60)).toMatch(heading);
});
