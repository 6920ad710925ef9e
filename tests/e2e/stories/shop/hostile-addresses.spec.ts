import { headingAt } from '../../pages/every-address.ts';
import { expect, test } from '../../support/shop.ts';

const long = 'x'.repeat(10_000);
const many = Array.from({ length: 2_000 }, (_, place) => `p${place}=${place}`).join('&');

/** Addresses that somebody may have made up, and what they are answered with. */
const ugly: [path: string, says: RegExp][] = [
  [`/id:${long}`, /We don’t have that title/],
  ['/id:%E0%A4%A', /We don’t have that title/],
  ['/id:%00', /We don’t have that title/],
  ['/id:__proto__/constructor', /We don’t have that title/],
  ['/id:%E2%80%AE%E2%80%AE', /We don’t have that title/],
  ['/id:', /Wrong Turn/],
  ['/%2e%2e/%2e%2e/etc/passwd', /Wrong Turn/],
  ['/all//x', /Wrong Turn/],
  [`/${long}`, /Wrong Turn/],
  [`/all/${long}`, /We couldn’t find that category/],
  ['/pages/public/constructor', /We couldn’t find that page/],
  [`/campaign/${encodeURIComponent('"><script>alert(1)</script>')}`, /We couldn’t find that campaign/],
  [`/redeem/${encodeURIComponent("'; drop table codes; --")}`, /This code can’t be redeemed/],
  [`/about?${many}`, /About|Harbour/],
  ['/terms?lang=xx&lang=%00&__proto__=1&%=%', /Terms/],
  ['/viewer?instanceid=..%2F..%2Fetc&sample', /Create your account/],
];

test('malformed addresses show the page that fits, or the not-found page', async ({ page, errors }) => {
  test.setTimeout(120_000);
  errors.allow(/status of (?:401|404|414|431)/);
  for (const [path, says] of ugly) expect(await headingAt(page, path), path.slice(0, 60)).toMatch(says);
});
