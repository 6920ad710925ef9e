import { expect, onTestFinished, test } from 'vitest';
import { importTitle } from '../support/imported-titles.ts';
import { openShop, type Shop } from '../support/shop.ts';

const openHealthShop = async (options?: Parameters<typeof openShop>[0]): Promise<Shop> => {
  const shop = await openShop(options);
  onTestFinished(() => shop.close());
  return shop;
};

const fetchStatusAndBody = async (shop: Shop, path: string) => {
  const response = await shop.app.inject(path);
  return [response.statusCode, response.json<unknown>()];
};

const healthy = { status: 'ok', database: 'ok', payment: 'ok', disk: 'ok', media: 'ok' };
const aliveResponse = [200, { status: 'ok' }];

test('a shop that can serve customers is alive and ready', async () => {
  const shop = await openHealthShop();
  expect(await fetchStatusAndBody(shop, '/healthz')).toEqual(aliveResponse);
  expect(await fetchStatusAndBody(shop, '/readyz')).toEqual([200, healthy]);
});

test('a dead gateway fails readiness but not liveness, and is named', async () => {
  const shop = await openHealthShop();
  await shop.stopGateway();
  expect(await fetchStatusAndBody(shop, '/healthz')).toEqual(aliveResponse);
  expect(await fetchStatusAndBody(shop, '/readyz')).toEqual([503, { ...healthy, status: 'failed', payment: 'failed' }]);
});

test('many readiness probes within a second make one check', async () => {
  let checkCount = 0;
  const shop = await openHealthShop({
    payment: (port) => ({
      ...port,
      isUp: async () => {
        checkCount += 1;
        return port.isUp();
      },
    }),
  });
  const startedAt = performance.now();
  const responses = await Promise.all(Array.from({ length: 20 }, () => fetchStatusAndBody(shop, '/readyz')));
  expect(new Set(responses.map(([status]) => status))).toEqual(new Set([200]));
  expect(checkCount).toBeLessThanOrEqual(1 + Math.floor((performance.now() - startedAt) / 1000));
});

test('a full disk fails readiness but not liveness', async () => {
  // `/proc` is a file system without free space.
  const shop = await openHealthShop({ config: { dataFolder: '/proc' } });
  expect(await fetchStatusAndBody(shop, '/healthz')).toEqual(aliveResponse);
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
  expect(await fetchStatusAndBody(shop, '/healthz')).toEqual(aliveResponse);
  expect(await fetchStatusAndBody(shop, '/readyz')).toEqual([503, { ...healthy, status: 'failed', database: 'failed' }]);
});
