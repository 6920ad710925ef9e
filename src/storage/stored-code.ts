import type { StorageKey } from './storage-keys.ts';
import { safeSessionStorage } from './storage.ts';

/** A code in this tab until it is used or dropped, the session ends, or the tab is closed. */
const codeStore = (name: StorageKey) => ({
  /** Empty without a code. */
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
export const { read: readCode, keep: saveCode, forget: forgetCode } = codeStore('colophon.code');

/** The code that gives a plan a trial. */
export const planCodeStore = (planId: string) => codeStore(`colophon.plan-code.${planId}`);
