import { expect, onTestFinished, test } from 'vitest';
import { importTitle } from '../support/imported-titles.ts';
import { openShop, type Shop } from '../support/shop.ts';

const open = async (options?: Parameters<typeof openShop>[0]): Promise<Shop> => {
  const shop = await openShop(options);
  onTestFinished(() => shop.close());
  return shop;
};

const asked = async (shop: Shop, path: string) => {
  const answer = await shop.app.inject(path);
  return [answer.statusCode, answer.json<unknown>()];
};

const well = { status: 'ok', database: 'ok', payment: 'ok', disk: 'ok', media: 'ok' };
const alive = [200, { status: 'ok' }];

test('a shop that can serve customers says so', async () => {
  const shop = await open();
  expect(await asked(shop, '/healthz')).toEqual(alive);
  expect(await asked(shop, '/readyz')).toEqual([200, well]);
});

test('a dead gateway is no reason to start the shop again, and is named', async () => {
  const shop = await open();
  await shop.stopGateway();
  expect(await asked(shop, '/healthz')).toEqual(alive);
  expect(await asked(shop, '/readyz')).toEqual([503, { ...well, status: 'failed', payment: 'failed' }]);
});

test('however often it is asked within a second, it looks once', async () => {
  let looks = 0;
  const shop = await open({
    payment: (port) => ({
      ...port,
      isUp: async () => {
        looks += 1;
        return port.isUp();
      },
    }),
  });
  const start = performance.now();
  const answers = await Promise.all(Array.from({ length: 20 }, () => asked(shop, '/readyz')));
  expect(new Set(answers.map(([status]) => status))).toEqual(new Set([200]));
  expect(looks).toBeLessThanOrEqual(1 + Math.floor((performance.now() - start) / 1000));
});

test('so is a full disk', async () => {
  // A file system without any room.
  const shop = await open({ config: { dataFolder: '/proc' } });
  expect(await asked(shop, '/healthz')).toEqual(alive);
  expect(await asked(shop, '/readyz')).toEqual([503, { ...well, status: 'failed', disk: 'failed' }]);
});

test('and a folder for media that is not there', async () => {
  const shop = await open({ config: { titlesFolder: '/not-mounted' } });
  expect(await asked(shop, '/readyz')).toEqual([503, { ...well, status: 'failed', media: 'failed' }]);
});

test('and a folder for media without the files of imported titles, as where it is not mounted', async () => {
  const shop = await open();
  await importTitle(shop, await shop.store(), 'a');
  expect(await asked(shop, '/readyz')).toEqual([503, { ...well, status: 'failed', media: 'failed' }]);
});

test('and a database that is gone', async () => {
  const shop = await open();
  await shop.loseDatabase();
  expect(await asked(shop, '/healthz')).toEqual(alive);
  expect(await asked(shop, '/readyz')).toEqual([503, { ...well, status: 'failed', database: 'failed' }]);
});
