import { shippedChromium, systemChromium } from '../start/programs.mjs';

/** What Playwright needs to launch the browser. */
export type BrowserLaunch = { executablePath: string; args: string[] };

// Nothing that runs beside a test may talk to the network or take its time.
const quiet = ['--disable-background-networking', '--disable-component-update', '--disable-sync'];

/** The system's Chromium where there is one, else the package's; `COLOPHON_SHIPPED_CHROMIUM=1` asks for the package's. */
export async function browserLaunch(): Promise<BrowserLaunch> {
  const asRoot = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  return { executablePath: (await systemChromium()) ?? (await shippedChromium()), args: [...asRoot, ...quiet] };
}
