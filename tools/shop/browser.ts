import { access, constants } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';

/** What Playwright needs to launch the browser. */
export type BrowserLaunch = { executablePath: string; args: string[] };

const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];

// Nothing that runs beside a test may talk to the network or take its time.
const quiet = ['--disable-background-networking', '--disable-component-update', '--disable-sync'];

async function isProgram(path: string): Promise<boolean> {
  return access(path, constants.X_OK).then(
    () => true,
    () => false,
  );
}

async function installedBySystem(): Promise<string | null> {
  const folders = (process.env['PATH'] ?? '').split(delimiter).filter((folder) => !folder.includes('node_modules'));
  for (const path of names.flatMap((name) => folders.map((folder) => join(folder, name)))) {
    if (await isProgram(path)) return path;
  }
  return null;
}

/** Chromium out of its package. It unpacks into the temporary folder and needs no library of the system. */
async function shipped(): Promise<string> {
  process.env['AWS_EXECUTION_ENV'] ??= 'AWS_Lambda_nodejs24.x';
  process.env['TMPDIR'] ??= tmpdir();
  const { default: chromium } = await import('@sparticuz/chromium');
  return chromium.executablePath();
}

/** The system's Chromium where there is one, else the package's; `COLOPHON_SHIPPED_CHROMIUM=1` asks for the package's. */
export async function browserLaunch(): Promise<BrowserLaunch> {
  const system = process.env['COLOPHON_SHIPPED_CHROMIUM'] === undefined ? await installedBySystem() : null;
  const asRoot = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  return { executablePath: system ?? (await shipped()), args: [...asRoot, ...quiet] };
}
