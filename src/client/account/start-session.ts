import type { CameBy } from '../../../machines/app/session.ts';
import type { Device, IssuedSession } from './account.ts';
import { keepSession } from '../../storage/session-storage.ts';
import { safeLocalStorage } from '../../storage/storage.ts';

/** This browser in the customer's list of devices, by a random id that it keeps. */
export const thisDevice = (): Device => {
  const id = safeLocalStorage.getItem('colophon.device') ?? crypto.randomUUID();
  safeLocalStorage.setItem('colophon.device', id);
  const browser = /(Firefox|Edg|OPR|Chrome|Safari)\//.exec(navigator.userAgent)?.[1] ?? 'Browser';
  const system = /(Windows|Android|iPhone|iPad|Mac OS|Linux)/.exec(navigator.userAgent)?.[1] ?? 'unknown system';
  return { id, name: `${browser}, ${system}` };
};

/**
 * Keeps a new session in this browser, one without a token in this tab. Returns the part of it that
 * machines may know.
 */
export const startSession = ({ token, customer, asks }: IssuedSession, remember: boolean): CameBy => {
  keepSession({ token, ...customer }, remember && token !== '');
  return { userId: customer.userId, pii: { email: customer.email }, ...(asks ? { asks } : {}) };
};

/** @throws Error when a machine asks without a form, which it does not. */
export const requireForm = <Form>(form: Form | null): Form => {
  if (form === null) throw new Error('no form was submitted');
  return form;
};
