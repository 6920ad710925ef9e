const nothing = {
  getItem: () => null,
  setItem: (): never => {
    throw new Error('A page that is painted keeps nothing.');
  },
  removeItem: () => true,
  keys: () => [],
};

/**
 * The server's stand-in for `src/storage/storage.ts`, which in want of a browser would keep in memory what one visitor leaves for the next.
 */
export const [safeLocalStorage, safeSessionStorage] = [nothing, nothing];

export const stored = <Fallback>(_key: string, _schema: unknown, fallback: Fallback): Fallback => fallback;

export const store = (): void => nothing.setItem();

export const storeList = (): number => nothing.setItem();
