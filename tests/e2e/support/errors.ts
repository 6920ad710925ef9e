import type { BrowserContext } from '@playwright/test';

/** The errors of all pages of a visitor, from their consoles and from their scripts. */
export type Errors = {
  /** Errors that match are part of the story, also those that came before. */
  allow(pattern: RegExp): void;
  /** Errors that nothing allowed. */
  left(): string[];
  /** What comes from now on is none: the server goes before the pages do. */
  end(): void;
};

/** The policy of interactive titles names a directive that no browser knows yet. */
const aheadOfBrowsers = /Unrecognized Content-Security-Policy directive 'webrtc'/;

/** Playwright tries its own scripts in every frame; those of a book's pages run none. */
const scriptsOfTests = /Blocked script execution in .* because the document's frame is sandboxed/;

/** Listens to a visitor's pages, the gateway's among them, until they close. */
export function watchErrors(context: BrowserContext): Errors {
  const allowed: RegExp[] = [aheadOfBrowsers, scriptsOfTests];
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
