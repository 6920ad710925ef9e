import { launch, type Browser, type BrowserContext, type Page } from 'puppeteer-core';
import { findSystemFirefox } from '../../../../tools/start/programs.mjs';

const firefoxProgram = await findSystemFirefox();

/** The reason why stories in Firefox cannot run on this computer; null if they can. */
export const missingFirefoxReason =
  firefoxProgram === null
    ? 'no Firefox on this machine (on Debian: apt-get install firefox-esr); its stories were not run'
    : null;

/** The bits of a pointer that is fine and hovers. */
const MOUSE_CAPABILITIES = 6;

const preferences = {
  'intl.accept_languages': 'en-GB, en',
  // A computer without a screen has no mouse either.
  'ui.primaryPointerCapabilities': MOUSE_CAPABILITIES,
  'ui.allPointerCapabilities': MOUSE_CAPABILITIES,
};

/** An environment without audio devices, so that recordings behave alike on every computer. */
const silentAudioEnv = { PULSE_SERVER: 'unix:/nowhere', ALSA_CONFIG_PATH: '/dev/null' };

/** Starts the installed Firefox, headless and muted, with a profile of its own. */
export async function startFirefox(): Promise<Browser> {
  if (firefoxProgram === null) throw new Error(missingFirefoxReason ?? '');
  return launch({
    browser: 'firefox',
    executablePath: firefoxProgram,
    headless: true,
    defaultViewport: { width: 1366, height: 768 },
    extraPrefsFirefox: preferences,
    env: { ...process.env, ...silentAudioEnv },
  });
}

/** A new visitor's page, and the errors that it has reported so far. */
export type FirefoxVisit = { context: BrowserContext; page: Page; errors: string[] };

/** Whether a URL is the default icon, which Firefox requests for a picture opened as a document. */
const isFavicon = (url: string): boolean => new URL(url).pathname === '/favicon.ico';

/**
 * Opens a page for a new visitor. An HTTP status of 400 or above counts as an error: Chromium logs
 * it to the console, Firefox does not.
 */
export async function startVisit(firefox: Browser): Promise<FirefoxVisit> {
  const context = await firefox.createBrowserContext();
  const page = await context.newPage();
  const errors: string[] = [];
  page.on('pageerror', (error) => errors.push(error instanceof Error ? `${error.name}: ${error.message}` : String(error)));
  page.on('console', (message) => {
    if (message.type() === 'error') errors.push(`${message.text()} (${message.location().url})`);
  });
  page.on('response', (response) => {
    if (response.status() >= 400 && !isFavicon(response.url())) errors.push(`${response.status()} ${response.url()}`);
  });
  return { context, page, errors };
}
