import type { StorageKey } from './storage-keys.ts';
import { safeSessionStorage } from './storage.ts';

/** Storage of a code in this tab until it is removed, the session ends, or the tab is closed. */
const toCodeStorage = (name: StorageKey) => ({
  /** The stored code, or an empty text. */
  read: (): string => safeSessionStorage.getItem(name) ?? '',
  keep: (code: string): void => {
    try {
      safeSessionStorage.setItem(name, code);
    } catch {
      safeSessionStorage.removeItem(name);
    }
  },
  forget: (): void => void safeSessionStorage.removeItem(name),
});

/** The discount code for the next title or cart in this tab. */
export const { read: readCode, keep: saveCode, forget: forgetCode } = toCodeStorage('colophon.code');

/** Storage of the code that gives a plan a trial. */
export const getPlanCodeStorage = (planId: string) => toCodeStorage(`colophon.plan-code.${planId}`);
