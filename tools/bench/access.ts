import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Customer, password } from '../browser/customer.ts';
import { startShop, type RunningShop } from '../shop/running-shop.ts';
import { computeMedian, type Row } from './rows.ts';
import { measureThroughput } from './throughput.ts';

/** An audiobook of the demo store. */
const TITLE_ID = '1019';
const RANGE_HEADER = { range: 'bytes=0-65535' };
const CALLERS = 16;
const ROUNDS = 3;
const ROUND_MS = 2000;
const SIGN_INS = 20;
const FILES = { folders: 200, each: 100 };

/** Fetches the URL of the first part of a copy, or of a sample. */
async function fetchMediaUrl(customer: Customer, instanceid: string, extraQuery: Record<string, string> = {}): Promise<string> {
  const response = await customer.request('viewer/url', { instanceid, content: '1', ...extraQuery });
  const text = await response.text();
  if (!response.ok) throw new Error(`viewer/url of ${instanceid} answered ${response.status}: ${text}`);
  return new URL((JSON.parse(text) as { url: string }).url, customer.shop.url).href;
}

/** Measures range requests for a title, which check the customer's access, and for a sample. */
async function measureMedia(shop: RunningShop): Promise<Row[]> {
  const customer = await Customer.signUp(shop);
  await customer.buy(TITLE_ID);
  const ownedUrl = await fetchMediaUrl(customer, await customer.fetchInstanceId(TITLE_ID));
  const sampleUrl = await fetchMediaUrl(customer, `sample-${TITLE_ID}`, { sample: 'true' });
  const perSecond = { owned: [] as number[], sample: [] as number[] };
  for (let round = 0; round < ROUNDS; round += 1) {
    perSecond.owned.push((await measureThroughput(ownedUrl, CALLERS, ROUND_MS, RANGE_HEADER)).perSecond);
    perSecond.sample.push((await measureThroughput(sampleUrl, CALLERS, ROUND_MS, RANGE_HEADER)).perSecond);
  }
  const [ownedRate, sampleRate] = [computeMedian(perSecond.owned), computeMedian(perSecond.sample)];
  return [
    { name: `media: responses per second of 64 KiB each, ${CALLERS} callers, with access check`, value: ownedRate, unit: '/s' },
    { name: 'media: the same for a sample, without access check', value: sampleRate, unit: '/s' },
    {
      name: 'media: throughput with access check, in % of that without',
      value: (ownedRate / sampleRate) * 100,
      unit: '%',
      min: 80,
    },
  ];
}

/** Signs in. @returns the duration in ms, and the cookie that marks the device as known */
async function measureSignIn(
  { shop, email, config }: Customer,
  deviceid: string,
  cookie: string,
): Promise<{ ms: number; cookie: string }> {
  const { storeParameter, storeId, appId } = config;
  const query = new URLSearchParams({ [storeParameter]: storeId, appid: appId, deviceid, devicename: 'Bench' });
  const startedAt = performance.now();
  const response = await fetch(`${shop.url}/api/user/signin?${query.toString()}`, {
    headers: { authorization: `Basic ${Buffer.from(`${email}:${password}`).toString('base64')}`, cookie },
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`user/signin of ${email} on ${deviceid} answered ${response.status}: ${text}`);
  const cookies = response.headers.getSetCookie().map((each) => each.split(';')[0]);
  return { ms: performance.now() - startedAt, cookie: cookies.join('; ') };
}

/** Measures sign-ins on a device that the account knows by its cookie, and on an unknown device. */
async function measureSignIns(shop: RunningShop): Promise<Row[]> {
  const customer = await Customer.signUp(shop);
  const durations = { known: [] as number[], unknown: [] as number[] };
  const { cookie } = await measureSignIn(customer, 'known', '');
  for (let count = 0; count < SIGN_INS; count += 1) {
    durations.unknown.push((await measureSignIn(customer, `unknown-${count}`, '')).ms);
    const knownSignIn = await measureSignIn(customer, 'known', cookie);
    if (knownSignIn.cookie !== cookie) throw new Error('the shop changed the cookie of the device `known`: expected the same');
    durations.known.push(knownSignIn.ms);
  }
  const [knownMs, unknownMs] = [computeMedian(durations.known), computeMedian(durations.unknown)];
  return [
    { name: 'sign-in: on a device without the cookie', value: unknownMs, unit: 'ms' },
    { name: 'sign-in: on a device with the cookie', value: knownMs, unit: 'ms' },
    { name: 'sign-in: with the cookie, as a share of without', value: (knownMs / unknownMs) * 100, unit: '%', limit: 125 },
  ];
}

/**
 * Measures starts with few and with many files: each start checks all files of the data folder,
 * since they must be private.
 */
async function measureStarts(shop: RunningShop): Promise<Row[]> {
  const measureStart = async (): Promise<number> => {
    const startTimes: number[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      await shop.stop();
      await shop.start();
      startTimes.push(shop.startupMs);
    }
    return computeMedian(startTimes);
  };
  const msWithFewFiles = await measureStart();
  for (let folder = 0; folder < FILES.folders; folder += 1) {
    const path = join(shop.data, 'media/bench', String(folder));
    await mkdir(path, { recursive: true });
    const files = Array.from({ length: FILES.each }, (_, index) => join(path, `${index}.bin`));
    await Promise.all(files.map((file) => writeFile(file, 'a page')));
  }
  const msWithManyFiles = await measureStart();
  return [
    { name: 'server: later start, data folder with few files', value: msWithFewFiles, unit: 'ms' },
    {
      name: `server: later start, with ${(FILES.folders * FILES.each) / 1000},000 more media files`,
      value: msWithManyFiles,
      unit: 'ms',
    },
    {
      name: 'server: with these files, as a share of with few',
      value: (msWithManyFiles / msWithFewFiles) * 100,
      unit: '%',
      limit: 150,
    },
  ];
}

/** Measures the cost of checking access, devices and the data folder's files. */
export async function measureAccess(): Promise<Row[]> {
  const shop = await startShop();
  try {
    return [...(await measureMedia(shop)), ...(await measureSignIns(shop)), ...(await measureStarts(shop))];
  } finally {
    await shop.remove();
  }
}
