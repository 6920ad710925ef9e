import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Customer, password } from '../browser/customer.ts';
import { startShop, type RunningShop } from '../shop/running-shop.ts';
import { median, type Row } from './rows.ts';
import { throughput } from './throughput.ts';

/** An audiobook of the demo store. */
const TITLE_ID = '1019';
const RANGE_HEADER = { range: 'bytes=0-65535' };
const CALLERS = 16;
const ROUNDS = 3;
const ROUND_MS = 2000;
const SIGN_INS = 20;
const FILES = { folders: 200, each: 100 };

/** @returns the URL of the first part of a copy, or of a sample */
async function fetchMediaUrl(customer: Customer, instanceid: string, more: Record<string, string> = {}): Promise<string> {
  const answer = await customer.ask('viewer/url', { instanceid, content: '1', ...more });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`viewer/url: ${answer.status} ${text}`);
  return new URL((JSON.parse(text) as { url: string }).url, customer.shop.url).href;
}

/** Range requests for a title, which check the customer's access, beside those for a sample. */
async function mediaRows(shop: RunningShop): Promise<Row[]> {
  const customer = await Customer.signUp(shop);
  await customer.buys(TITLE_ID);
  const owned = await fetchMediaUrl(customer, await customer.instanceOf(TITLE_ID));
  const sample = await fetchMediaUrl(customer, `sample-${TITLE_ID}`, { sample: 'true' });
  const perSecond = { owned: [] as number[], sample: [] as number[] };
  for (let round = 0; round < ROUNDS; round += 1) {
    perSecond.owned.push((await throughput(owned, CALLERS, ROUND_MS, RANGE_HEADER)).perSecond);
    perSecond.sample.push((await throughput(sample, CALLERS, ROUND_MS, RANGE_HEADER)).perSecond);
  }
  const [ofOwned, ofSample] = [median(perSecond.owned), median(perSecond.sample)];
  return [
    { name: `media: responses per second of 64 KiB each, ${CALLERS} callers, with access check`, value: ofOwned, unit: '/s' },
    { name: 'media: the same for a sample, without access check', value: ofSample, unit: '/s' },
    {
      name: 'media: throughput with access check, in % of that without',
      value: (ofOwned / ofSample) * 100,
      unit: '%',
      min: 80,
    },
  ];
}

/** @returns the duration of a sign-in in ms, and the cookie that marks the device as known */
async function signIn(
  { shop, email, config }: Customer,
  deviceid: string,
  cookie: string,
): Promise<{ took: number; cookie: string }> {
  const { storeParameter, storeId, appId } = config;
  const query = new URLSearchParams({ [storeParameter]: storeId, appid: appId, deviceid, devicename: 'Bench' });
  const begun = performance.now();
  const answer = await fetch(`${shop.url}/api/user/signin?${query.toString()}`, {
    headers: { authorization: `Basic ${Buffer.from(`${email}:${password}`).toString('base64')}`, cookie },
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`user/signin: ${answer.status} ${text}`);
  const set = answer.headers.getSetCookie().map((each) => each.split(';')[0]);
  return { took: performance.now() - begun, cookie: set.join('; ') };
}

/** Sign-ins on a device that the account knows by its cookie, beside those on an unknown device. */
async function signInRows(shop: RunningShop): Promise<Row[]> {
  const customer = await Customer.signUp(shop);
  const took = { known: [] as number[], unknown: [] as number[] };
  const { cookie } = await signIn(customer, 'known', '');
  for (let count = 0; count < SIGN_INS; count += 1) {
    took.unknown.push((await signIn(customer, `unknown-${count}`, '')).took);
    const again = await signIn(customer, 'known', cookie);
    if (again.cookie !== cookie) throw new Error('the shop did not recognise the device by its cookie');
    took.known.push(again.took);
  }
  const [ofKnown, ofUnknown] = [median(took.known), median(took.unknown)];
  return [
    { name: 'sign-in: on a device without the cookie', value: ofUnknown, unit: 'ms' },
    { name: 'sign-in: on a device with the cookie', value: ofKnown, unit: 'ms' },
    { name: 'sign-in: with the cookie, as a share of without', value: (ofKnown / ofUnknown) * 100, unit: '%', limit: 125 },
  ];
}

/** Each start checks all files of the data folder, since they must be private. */
async function fileRows(shop: RunningShop): Promise<Row[]> {
  const startsOf = async (): Promise<number> => {
    const all: number[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      await shop.stop();
      await shop.start();
      all.push(shop.startedIn);
    }
    return median(all);
  };
  const few = await startsOf();
  for (let folder = 0; folder < FILES.folders; folder += 1) {
    const path = join(shop.data, 'media/bench', String(folder));
    await mkdir(path, { recursive: true });
    const files = Array.from({ length: FILES.each }, (_, at) => join(path, `${at}.bin`));
    await Promise.all(files.map((file) => writeFile(file, 'a page')));
  }
  const many = await startsOf();
  return [
    { name: 'server: later start, data folder with few files', value: few, unit: 'ms' },
    { name: `server: later start, with ${(FILES.folders * FILES.each) / 1000},000 more media files`, value: many, unit: 'ms' },
    { name: 'server: with these files, as a share of with few', value: (many / few) * 100, unit: '%', limit: 150 },
  ];
}

/** The cost of checking access, devices and the data folder's files. */
export async function accessRows(): Promise<Row[]> {
  const shop = await startShop();
  try {
    return [...(await mediaRows(shop)), ...(await signInRows(shop)), ...(await fileRows(shop))];
  } finally {
    await shop.remove();
  }
}
