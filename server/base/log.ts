import { AsyncLocalStorage } from 'node:async_hooks';

/** Levels from the most urgent one; `LOG_LEVEL` names the least urgent one that is written. */
export const LOG_LEVELS = ['silent', 'error', 'warn', 'info', 'debug'] as const;

export type LogLevel = (typeof LOG_LEVELS)[number];

/** How lines are written: JSON for log collectors, text for a terminal. */
export const LOG_FORMATS = ['json', 'text'] as const;

/**
 * Writes events. The name of an event is its area, thing and outcome, like `cover.resize.failed`;
 * its fields are ids and numbers, never personal data or secrets.
 * `error`: an operator must act. `warn`: the shop recovers by itself, or an operator should look.
 * `info`: part of normal work, declined payments and refused sign-ins included.
 */
export type Log = Record<Exclude<LogLevel, 'silent'>, (fields: object, event: string) => void>;

const requestId = new AsyncLocalStorage<string>();

/** Runs a request handler: events that it logs carry the request's id. */
export const logWithRequest = (id: string, handle: () => void): void => requestId.run(id, handle);

/** A log that adds the id of the current request to each event. */
export function logOfRequests(log: Log): Log {
  const write = (level: keyof Log) => (fields: object, event: string) => {
    const request = requestId.getStore();
    log[level](request === undefined ? fields : { request, ...fields }, event);
  };
  return { error: write('error'), warn: write('warn'), info: write('info'), debug: write('debug') };
}

/**
 * Replaces e-mail addresses and telephone numbers in a text: other servers repeat them in their
 * errors, like "550 <ann@example.org> unknown".
 */
export const redact = (text: string): string =>
  text.replaceAll(/[^\s<>"'(),:;]+@[^\s<>"'(),:;]+/g, '[e-mail]').replaceAll(/\+\d[\d ()-]{6,}\d/g, '[telephone]');
