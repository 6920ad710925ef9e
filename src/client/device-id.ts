import { safeLocalStorage } from '../storage/storage.ts';

const name = 'colophon.device';

/**
 * This browser's id, if it has one by now: rate limits of the server count a browser that a
 * customer has signed in on by itself. A server that knows no such parameter ignores it.
 */
export const knownDeviceId = (): string | undefined => safeLocalStorage.getItem(name) ?? undefined;

/** This browser's random id, which it keeps. */
export const deviceId = (): string => {
  const id = knownDeviceId() ?? crypto.randomUUID();
  safeLocalStorage.setItem(name, id);
  return id;
};
