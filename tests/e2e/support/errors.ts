import type { BrowserContext } from '@playwright/test';

/** The errors of all pages of a visitor: console errors and uncaught exceptions. */
export type PageErrors = {
  /** Expects errors that match, including earlier ones. */
  allow(pattern: RegExp): void;
  /** The errors that no pattern allows. */
  getUnexpected(): string[];
  /** Ignores all further errors: the server stops before the pages close. */
  ignoreFurther(): void;
};

/** The policy of interactive titles names a directive that no browser supports yet. */
const unknownPolicyDirective = /Unrecognized Content-Security-Policy directive 'webrtc'/;

/** Playwright tries to run its scripts in every frame; the frames of a book's pages block them. */
const playwrightScripts = /Blocked script execution in .* because the document's frame is sandboxed/;

/** Listens to a visitor's pages, including the gateway's, until they close. */
export function watchErrors(context: BrowserContext): PageErrors {
  const allowed: RegExp[] = [unknownPolicyDirective, playwrightScripts];
  const pageErrors: string[] = [];
  let isIgnoring = false;
  const addError = (text: string): void => {
    if (!isIgnoring) pageErrors.push(text);
  };
  context.on('weberror', (error) => {
    const { name, message } = error.error();
    addError(`${name}: ${message}`);
  });
  context.on('console', (message) => {
    if (message.type() === 'error') addError(`${message.text()} (${message.location().url})`);
  });
  return {
    allow: (pattern) => allowed.push(pattern),
    ignoreFurther: () => void (isIgnoring = true),
    getUnexpected: () => pageErrors.filter((text) => !allowed.some((pattern) => pattern.test(text))),
  };
}
