import type { BrowserContext } from '@playwright/test';

/** The errors of all pages of a visitor, from their consoles and from their scripts. */
export type PageErrors = {
  /** Expects errors that match, including earlier ones. */
  allow(pattern: RegExp): void;
  /** Unexpected errors. */
  left(): string[];
  /** Ignores errors from now on: the server stops before the pages close. */
  end(): void;
};

/** The policy of interactive titles names a directive that no browser supports yet. */
const unknownPolicyDirective = /Unrecognized Content-Security-Policy directive 'webrtc'/;

/** Playwright tries its own scripts in every frame; those of a book's pages run none. */
const playwrightScripts = /Blocked script execution in .* because the document's frame is sandboxed/;

/** Listens to a visitor's pages, including the gateway's, until they close. */
export function watchErrors(context: BrowserContext): PageErrors {
  const allowed: RegExp[] = [unknownPolicyDirective, playwrightScripts];
  const seen: string[] = [];
  let hasEnded = false;
  const see = (text: string): void => {
    if (!hasEnded) seen.push(text);
  };
  context.on('weberror', (error) => {
    const { name, message } = error.error();
    see(`${name}: ${message}`);
  });
  context.on('console', (message) => {
    if (message.type() === 'error') see(`${message.text()} (${message.location().url})`);
  });
  return {
    allow: (pattern) => allowed.push(pattern),
    end: () => void (hasEnded = true),
    left: () => seen.filter((text) => !allowed.some((pattern) => pattern.test(text))),
  };
}
