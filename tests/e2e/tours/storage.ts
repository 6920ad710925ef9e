import type { World } from './stage.ts';

/** A browser that from now on lets nothing be written to its lasting storage and nothing be removed. */
export const refuseStorage = async (world: World): Promise<void> => {
  world.injected('a storage that refuses to be written');
  await world.page.evaluate(() => {
    const { setItem, removeItem } = Storage.prototype;
    const check = (storage: Storage) => {
      if (storage === localStorage) throw new DOMException('The storage cannot be written.', 'QuotaExceededError');
    };
    Storage.prototype.setItem = function (this: Storage, key, value) {
      check(this);
      setItem.call(this, key, value);
    };
    Storage.prototype.removeItem = function (this: Storage, key) {
      check(this);
      removeItem.call(this, key);
    };
  });
};
