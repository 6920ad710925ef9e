const noStorage = {
  getItem: () => null,
  setItem: (): never => {
    throw new Error('Server-side rendering must not write to the storage: it has none.');
  },
  removeItem: () => true,
  keys: () => [],
};

/**
 * The server's replacement of `src/storage/storage.ts`, which without a browser would keep one
 * visitor's data in memory for the next.
 */
export const [safeLocalStorage, safeSessionStorage] = [noStorage, noStorage];

export const readItem = <Fallback>(_key: string, _schema: unknown, fallback: Fallback): Fallback => fallback;

export const writeItem = (): void => noStorage.setItem();

export const writeList = (): number => noStorage.setItem();
