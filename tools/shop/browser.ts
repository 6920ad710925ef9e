import { installShippedChromium, findSystemChromium } from '../start/programs.mjs';

/** The options with which Playwright launches the browser. */
export type BrowserLaunch = { executablePath: string; args: string[] };

// Disables background work that would use the network or the CPU during a test.
const quietFlags = ['--disable-background-networking', '--disable-component-update', '--disable-sync'];

/**
 * The system's Chromium if there is one, else the package's; `COLOPHON_SHIPPED_CHROMIUM=1` forces
 * the package's.
 */
export async function getBrowserLaunch(): Promise<BrowserLaunch> {
  const asRoot = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  return { executablePath: (await findSystemChromium()) ?? (await installShippedChromium()), args: [...asRoot, ...quietFlags] };
}
