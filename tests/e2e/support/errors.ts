import type { BrowserContext } from '@playwright/test';

/** The errors of all pages of a visitor, from their consoles and from their scripts. */
export type Errors = {
  /** Errors that match are part of the story, also those that came before. */
  allow(pattern: RegExp): void;
  /** Errors that nothing allowed. */
  left(): string[];
};

/** Listens to a visitor's pages, the gateway's among them, until they close. */
export function watchErrors(context: BrowserContext): Errors {
  const allowed: RegExp[] = [];
  const seen: string[] = [];
  context.on('weberror', (error) => {
    const { name, message } = error.error();
    seen.push(`${name}: ${message}`);
  });
  context.on('console', (message) => {
    if (message.type() === 'error') seen.push(`${message.text()} (${message.location().url})`);
  });
  return {
    allow: (pattern) => allowed.push(pattern),
    left: () => seen.filter((text) => !allowed.some((pattern) => pattern.test(text))),
  };
}
