import type { StorageKey } from './storage-keys.ts';
import { safeSessionStorage } from './storage.ts';

/** A code in this tab until it is used or dropped, the session ends, or the tab is closed. */
const codeUnder = (name: StorageKey) => ({
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

/** The code that makes the next title or cart cheaper in this tab. */
export const { read: keptCode, keep: keepCode, forget: forgetCode } = codeUnder('colophon.code');

/** The code that begins the plan with free days. */
export const planCode = (planId: string) => codeUnder(`colophon.plan-code.${planId}`);
