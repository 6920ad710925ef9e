import { systemFirefox } from '../../../../tools/start/programs.mjs';
import setUp from '../../support/global-setup.ts';

/** Vitest's global set-up of the project `firefox`: a database and data for its shop to copy. */
export async function setup(): Promise<(() => Promise<void>) | undefined> {
  return (await systemFirefox()) === null ? undefined : setUp();
}
