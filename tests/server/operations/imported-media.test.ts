import { rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createImportedMediaCheck } from '../../../server/web/imported-media.ts';
import { importTitle } from '../support/imported-titles.ts';
import { openShop, type Shop } from '../support/shop.ts';

const openImportedShop = async (): Promise<{ shop: Shop; store: string; isMediaPresent: () => Promise<boolean> }> => {
  const shop = await openShop();
  onTestFinished(() => shop.close());
  return { shop, store: await shop.store(), isMediaPresent: createImportedMediaCheck(shop.services) };
};

test('a media folder that is not mounted is reported as missing, and found again', async () => {
  const { shop, store, isMediaPresent } = await openImportedShop();
  await (await importTitle(shop, store, 'a')).write();
  expect(await isMediaPresent()).toBe(true);
  const [mountedFolder, movedFolder] = [join(shop.folder, 'titles'), join(shop.folder, 'away')];
  await rename(mountedFolder, movedFolder);
  expect(await isMediaPresent()).toBe(false);
  await rename(movedFolder, mountedFolder);
  expect(await isMediaPresent()).toBe(true);
});

test('a file that an import has replaced is not reported as missing', async () => {
  const { shop, store, isMediaPresent } = await openImportedShop();
  const replacedTitle = await importTitle(shop, store, 'a');
  await replacedTitle.write();
  expect(await isMediaPresent()).toBe(true);
  await (await importTitle(shop, store, 'b')).write();
  await rm(replacedTitle.path);
  expect(await isMediaPresent()).toBe(true);
});

test('one title without its file does not mark the folder as missing while other files exist', async () => {
  const { shop, store, isMediaPresent } = await openImportedShop();
  await importTitle(shop, store, 'a');
  await (await importTitle(shop, await shop.store(), 'b')).write();
  expect(await isMediaPresent()).toBe(true);
});

test('a shop without imported titles does not query the database on each check', async () => {
  const { shop, isMediaPresent } = await openImportedShop();
  const select = vi.spyOn(shop.db, 'selectFrom');
  for (let time = 0; time < 3; time += 1) expect(await isMediaPresent()).toBe(true);
  expect(select).toHaveBeenCalledTimes(1);
});
