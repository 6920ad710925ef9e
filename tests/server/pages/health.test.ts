import { expect, onTestFinished, test } from 'vitest';
import { importTitle } from '../support/imported-titles.ts';
import { openShop, type Shop } from '../support/shop.ts';

const openHealthShop = async (options?: Parameters<typeof openShop>[0]): Promise<Shop> => {
  const shop = await openShop(options);
  onTestFinished(() => shop.close());
  return shop;
};

const fetchStatusAndBody = async (shop: Shop, path: string) => {
  const answer = await shop.app.inject(path);
  return [answer.statusCode, answer.json<unknown>()];
};

const healthy = { status: 'ok', database: 'ok', payment: 'ok', disk: 'ok', media: 'ok' };
const aliveAnswer = [200, { status: 'ok' }];

test('a shop that can serve customers is alive and ready', async () => {
  const shop = await openHealthShop();
  expect(await fetchStatusAndBody(shop, '/healthz')).toEqual(aliveAnswer);
  expect(await fetchStatusAndBody(shop, '/readyz')).toEqual([200, healthy]);
});

test('a dead gateway fails readiness but not liveness, and is named', async () => {
  const shop = await openHealthShop();
  await shop.stopGateway();
  expect(await fetchStatusAndBody(shop, '/healthz')).toEqual(aliveAnswer);
  expect(await fetchStatusAndBody(shop, '/readyz')).toEqual([503, { ...healthy, status: 'failed', payment: 'failed' }]);
});

test('any number of probes within a second makes one check', async () => {
  let looks = 0;
  const shop = await openHealthShop({
    payment: (port) => ({
      ...port,
      isUp: async () => {
        looks += 1;
        return port.isUp();
      },
    }),
  });
  const start = performance.now();
  const answers = await Promise.all(Array.from({ length: 20 }, () => fetchStatusAndBody(shop, '/readyz')));
  expect(new Set(answers.map(([status]) => status))).toEqual(new Set([200]));
  expect(looks).toBeLessThanOrEqual(1 + Math.floor((performance.now() - start) / 1000));
});

test('a full disk fails readiness but not liveness', async () => {
  // A file system without free space.
  const shop = await openHealthShop({ config: { dataFolder: '/proc' } });
  expect(await fetchStatusAndBody(shop, '/healthz')).toEqual(aliveAnswer);
  expect(await fetchStatusAndBody(shop, '/readyz')).toEqual([503, { ...healthy, status: 'failed', disk: 'failed' }]);
});

test('a missing media folder fails readiness', async () => {
  const shop = await openHealthShop({ config: { titlesFolder: '/not-mounted' } });
  expect(await fetchStatusAndBody(shop, '/readyz')).toEqual([503, { ...healthy, status: 'failed', media: 'failed' }]);
});

test('a media folder without the files of imported titles, as when it is not mounted, fails readiness', async () => {
  const shop = await openHealthShop();
  await importTitle(shop, await shop.store(), 'a');
  expect(await fetchStatusAndBody(shop, '/readyz')).toEqual([503, { ...healthy, status: 'failed', media: 'failed' }]);
});

test('a lost database fails readiness but not liveness', async () => {
  const shop = await openHealthShop();
  await shop.loseDatabase();
  expect(await fetchStatusAndBody(shop, '/healthz')).toEqual(aliveAnswer);
  expect(await fetchStatusAndBody(shop, '/readyz')).toEqual([503, { ...healthy, status: 'failed', database: 'failed' }]);
});
