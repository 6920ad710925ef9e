import type { SignInResult } from '../../../machines/app/session.ts';
import type { BrowserDevice, IssuedSession } from './account.ts';
import { saveSession } from '../../storage/session-storage.ts';
import { safeLocalStorage } from '../../storage/storage.ts';

/** This browser's entry in the customer's device list, with a random id from its storage. */
export const getThisDevice = (): BrowserDevice => {
  const id = safeLocalStorage.getItem('colophon.device') ?? crypto.randomUUID();
  safeLocalStorage.setItem('colophon.device', id);
  const browser = /(Firefox|Edg|OPR|Chrome|Safari)\//.exec(navigator.userAgent)?.[1] ?? 'Browser';
  const system = /(Windows|Android|iPhone|iPad|Mac OS|Linux)/.exec(navigator.userAgent)?.[1] ?? 'unknown system';
  return { id, name: `${browser}, ${system}` };
};

/**
 * Stores a new session in this browser, or in this tab if it has no token or is not to be
 * remembered. Returns the part of the session that machines may know.
 */
export const startSession = ({ token, customer, asks }: IssuedSession, remember: boolean): SignInResult => {
  saveSession({ token, ...customer }, remember && token !== '');
  return { userId: customer.userId, pii: { email: customer.email }, ...(asks ? { asks } : {}) };
};

/**
 * Returns the submitted form of a port's input.
 * @throws Error if it is null: a machine that calls the port without a form has a bug
 */
export const requireForm = <Form>(form: Form | null): Form => {
  if (form === null) throw new Error('The port’s input has the form null: expected the submitted form.');
  return form;
};
