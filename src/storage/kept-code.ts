import { safeSessionStorage } from './storage.ts';

const name = 'colophon.code';

/** The code that takes something off what is bought next in this tab; empty where there is none. */
export const keptCode = (): string => safeSessionStorage.getItem(name) ?? '';

/** Keeps a code until it is used, or the tab is closed. */
export const keepCode = (code: string): void => {
  try {
    safeSessionStorage.setItem(name, code);
  } catch {
    safeSessionStorage.removeItem(name);
  }
};

export const forgetCode = (): void => void safeSessionStorage.removeItem(name);
